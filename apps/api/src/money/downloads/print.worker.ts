import { buffer } from 'node:stream/consumers';
import type { Language } from '@nearhand/contract/languages';
import { ink, openPdf, page } from '../../platform/pdf/pdf-pen.ts';
import { type PrintedTable, tablePdf } from '../../platform/pdf/table-pdf.ts';
import type { PrintedInvoice } from '../invoices/invoices.ts';
import type { PrintedReceipt } from '../receipts/receipts.ts';
import type { PrintedWorkerInvoice } from '../worker-invoices/worker-invoices.sql.ts';
import { invoicePdf, workerInvoicePdf } from './invoice-pdf.ts';
import { receiptPdf } from './receipt-pdf.ts';
import { type StatementPdf, statementPdf } from './statement-pdf.ts';

/** Plain text to print; a line that begins with `# ` is a heading. */
export type PrintedText = { title: string; at: Date; text: string };

const lineHeight = 13;
const top = 90;
const maxLines = 500;

/** Prints plain text in English, on as many pages as it needs. */
function textPdf({ title, at, text }: PrintedText): NodeJS.ReadableStream {
  const { pen, stream } = openPdf({ title, at });
  const { margin, width, height } = page;
  let y: number = height;
  const addLine = (line: string, bold: boolean) => {
    if (y + lineHeight > height - margin) {
      pen.addPage();
      pen.brand(margin - 4, 36);
      pen.text(title, margin, 72, { bold: true, width: width - 2 * margin, colour: ink.second });
      y = top;
    }
    pen.text(line, margin, y, { bold, width: width - 2 * margin });
    y += lineHeight;
  };
  for (const paragraph of text.split('\n')) {
    const bold = paragraph.startsWith('# ');
    const words = bold ? paragraph.slice(2) : paragraph;
    const request = { size: 9, bold, width: width - 2 * margin, maxLines };
    for (const line of words === '' ? [''] : pen.lines(words, request)) addLine(line, bold);
  }
  pen.end();
  return stream;
}

type Printed =
  | { statement: StatementPdf }
  | { text: PrintedText }
  | { table: PrintedTable }
  | { invoice: PrintedInvoice; language: Language }
  | { workerInvoice: PrintedWorkerInvoice; language: Language }
  | { receipt: PrintedReceipt; language: Language };

const pdfOf = (printed: Printed): NodeJS.ReadableStream => {
  if ('statement' in printed) return statementPdf(printed.statement);
  if ('text' in printed) return textPdf(printed.text);
  if ('table' in printed) return tablePdf(printed.table);
  if ('workerInvoice' in printed) return workerInvoicePdf(printed.workerInvoice, printed.language);
  return 'invoice' in printed
    ? invoicePdf(printed.invoice, printed.language)
    : receiptPdf(printed.receipt, printed.language);
};

/** Runs in its own process: embedding fonts takes about 250 ms of CPU. */
export default (printed: Printed): Promise<Uint8Array> => buffer(pdfOf(printed));
