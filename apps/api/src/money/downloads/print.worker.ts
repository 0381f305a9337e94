import { buffer } from 'node:stream/consumers';
import type { Language } from '@nearhand/contract/languages';
import type { PrintedInvoice } from '../invoices/invoices.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { type StatementPdf, statementPdf } from './statement-pdf.ts';

type Printed = { statement: StatementPdf } | { invoice: PrintedInvoice; language: Language };

/** Runs in a process of its own: embedding fonts takes a quarter of a second of the processor. */
export default (printed: Printed): Promise<Uint8Array> =>
  buffer(
    'statement' in printed ? statementPdf(printed.statement) : invoicePdf(printed.invoice, printed.language),
  );
