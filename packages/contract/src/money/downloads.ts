import { z } from 'zod';
import { id, instant, month, operation } from '../operation.ts';
import { invoiceFormats } from './invoices.ts';
import { businessGroups, workerGroups } from './statements.rules.ts';
import { statementFilter } from './statements.ts';

export const downloadLink = z.object({
  /** An API path to the file, without a session, for five minutes. */
  path: z.string(),
  expiresAt: instant,
  fileName: z.string(),
});

const invoiceFormat = z.enum(invoiceFormats).default('pdf');

const ownDocument = {
  access: 'verified',
  errors: ['statement/not-found', 'business/not-allowed'],
  effects: [],
  whileSuspended: 'account',
} as const;

/** Statements, invoices and receipts as files, each by a link that works for five minutes. */
export const downloads = {
  statement: operation({
    access: 'verified',
    errors: ['statement/too-long'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/statement/link',
      summary: 'A link to your statement as a file',
    })
    .input(
      z.object({
        ...statementFilter,
        group: z.enum(workerGroups).default('all'),
        format: z.enum(['csv', 'pdf']),
      }),
    )
    .output(downloadLink),
  businessStatement: operation({
    access: 'member:finance',
    errors: ['business/not-found', 'business/not-allowed', 'statement/too-long'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/statement/link',
      summary: "A link to a business's statement as a file",
    })
    .input(
      z.object({
        businessId: id,
        ...statementFilter,
        group: z.enum(businessGroups).default('all'),
        format: z.enum(['csv', 'pdf']),
      }),
    )
    .output(downloadLink),
  invoice: operation({
    access: 'member:finance',
    errors: ['statement/not-found', 'business/not-allowed'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/invoices/{invoiceId}/link',
      summary: 'A link to an invoice or credit note as PDF (Factur-X), UBL or CII (EN 16931)',
    })
    .input(z.object({ invoiceId: id, format: invoiceFormat }))
    .output(downloadLink),
  workerInvoice: operation(ownDocument)
    .route({
      method: 'POST',
      path: '/worker-invoices/{workerInvoiceId}/link',
      summary:
        "A link to a worker's invoice as PDF (Factur-X), UBL or CII (EN 16931); for the worker and the business's finance. A pro forma is PDF only.",
    })
    .input(z.object({ workerInvoiceId: id, format: invoiceFormat }))
    .output(downloadLink),
  month: operation({
    access: 'member:finance',
    errors: ['business/not-found', 'business/not-allowed', 'statement/not-found', 'statement/too-long'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/documents/link',
      summary:
        "A link to a month's invoices (PDF and UBL), credit notes, workers' invoices and pay receipts as a ZIP with an index",
    })
    .input(z.object({ businessId: id, month }))
    .output(downloadLink),
  receipt: operation(ownDocument)
    .route({
      method: 'POST',
      path: '/receipts/{receiptId}/link',
      summary:
        "A link to a pay receipt as PDF; for the business's finance, and the worker unless self-employed",
    })
    .input(z.object({ receiptId: id }))
    .output(downloadLink),
};
