import { buffer } from 'node:stream/consumers';
import type { Language } from '@nearhand/contract/languages';
import type { PrintedInvoice } from '../invoices/invoices.ts';
import type { PrintedReceipt } from '../receipts/receipts.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { receiptPdf } from './receipt-pdf.ts';
import { type StatementPdf, statementPdf } from './statement-pdf.ts';
import { type PrintedText, textPdf } from './text-pdf.ts';

type Printed =
  | { statement: StatementPdf }
  | { text: PrintedText }
  | { invoice: PrintedInvoice; language: Language }
  | { receipt: PrintedReceipt; language: Language };

const pdfOf = (printed: Printed): NodeJS.ReadableStream => {
  if ('statement' in printed) return statementPdf(printed.statement);
  if ('text' in printed) return textPdf(printed.text);
  return 'invoice' in printed
    ? invoicePdf(printed.invoice, printed.language)
    : receiptPdf(printed.receipt, printed.language);
};

/** Runs in its own process: embedding fonts takes about 250 ms of CPU. */
export default (printed: Printed): Promise<Uint8Array> => buffer(pdfOf(printed));
