import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';
import { month } from './budgets.ts';
import { invoiceFormats } from './invoices.ts';
import { businessGroups, workerGroups } from './statements.rules.ts';
import { statementFilter } from './statements.ts';

const link = z.object({
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
      summary: 'A link to your statement as a file, valid for five minutes',
    })
    .input(
      z.object({
        ...statementFilter,
        group: z.enum(workerGroups).default('all'),
        format: z.enum(['csv', 'pdf']),
      }),
    )
    .output(link),
  businessStatement: operation({
    access: 'member:finance',
    errors: ['business/not-found', 'business/not-allowed', 'statement/too-long'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/statement/link',
      summary: "A link to a business's statement as a file, valid for five minutes",
    })
    .input(
      z.object({
        businessId: id,
        ...statementFilter,
        group: z.enum(businessGroups).default('all'),
        format: z.enum(['csv', 'pdf']),
      }),
    )
    .output(link),
  invoice: operation({
    access: 'member:finance',
    errors: ['statement/not-found', 'business/not-allowed'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/invoices/{invoiceId}/link',
      summary:
        'A link to an invoice or credit note as a PDF (Factur-X), UBL or CII (EN 16931), valid for five minutes',
    })
    .input(z.object({ invoiceId: id, format: invoiceFormat }))
    .output(link),
  workerInvoice: operation(ownDocument)
    .route({
      method: 'POST',
      path: '/worker-invoices/{workerInvoiceId}/link',
      summary:
        "A link to a worker's invoice as a PDF (Factur-X), UBL or CII (EN 16931), valid for five minutes; for the worker, and finance of the business. A pro forma is a PDF only.",
    })
    .input(z.object({ workerInvoiceId: id, format: invoiceFormat }))
    .output(link),
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
        "A link to all invoices (PDF and UBL), credit notes, workers' invoices and pay receipts for the payments of a month as a ZIP with an index, valid for five minutes",
    })
    .input(z.object({ businessId: id, month }))
    .output(link),
  receipt: operation(ownDocument)
    .route({
      method: 'POST',
      path: '/receipts/{receiptId}/link',
      summary:
        'A link to a pay receipt as a PDF, valid for five minutes; for finance of the business, and the worker unless self-employed',
    })
    .input(z.object({ receiptId: id }))
    .output(link),
};
