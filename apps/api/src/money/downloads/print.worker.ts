import { buffer } from 'node:stream/consumers';
import type { Language } from '@nearhand/contract/languages';
import type { PrintedInvoice } from '../invoices/invoices.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { type StatementPdf, statementPdf } from './statement-pdf.ts';

type Printed = { statement: StatementPdf } | { invoice: PrintedInvoice; language: Language };

/** Runs in its own process: embedding fonts takes about 250 ms of CPU. */
export default (printed: Printed): Promise<Uint8Array> =>
  buffer(
    'statement' in printed ? statementPdf(printed.statement) : invoicePdf(printed.invoice, printed.language),
  );
