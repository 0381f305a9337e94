import { z } from 'zod';
import { currency } from '../money.ts';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';
import { queryYear } from './statements.ts';

/** An `invoice` includes our fee, a `receipt` does not (ADR 80). */
export const documentKinds = ['invoice', 'receipt'] as const;
/** An invoice or receipt; numbered without gaps per business. */
export const invoice = z.object({
  id,
  kind: z.enum(documentKinds),
  number: z.string(),
  issuedAt: instant,
  about: z.string(),
  party: z.string().nullable(),
  payMinor: z.number().int(),
  feeMinor: z.number().int(),
  totalMinor: z.number().int(),
  currency,
  engagementId: id.nullable(),
});
export type Invoice = z.infer<typeof invoice>;

export const invoices = {
  list: operation({
    access: 'member:finance',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/invoices',
      summary: 'Invoices and receipts of a business, newest first',
    })
    .input(z.object({ businessId: id, year: queryYear.optional(), ...pageInput }))
    .output(pageOf(invoice)),
};
