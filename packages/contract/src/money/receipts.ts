import { z } from 'zod';
import { currency } from '../money.ts';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';
import { queryYear } from './statements.ts';

/**
 * A payment to a worker as a document, numbered without gaps per business (ADR 80). The whole of
 * `amountMinor` is pay, without our fee.
 */
export const receipt = z.object({
  id,
  number: z.string(),
  issuedAt: instant,
  about: z.string(),
  party: z.string(),
  amountMinor: z.number().int(),
  currency,
});
export type Receipt = z.infer<typeof receipt>;

export const receipts = {
  list: operation({
    access: 'member:finance',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/receipts',
      summary: 'Pay receipts of a business, newest first',
    })
    .input(z.object({ businessId: id, year: queryYear.optional(), ...pageInput }))
    .output(pageOf(receipt)),
};
