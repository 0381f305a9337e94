import { z } from 'zod';
import { currency } from '../money.ts';
import { id, instant } from '../operation.ts';
import { charge } from './charges.ts';

/** A `bonus` is a tip under another name. */
export const tipKinds = ['tip', 'bonus'] as const;
/** Money on top of the pay, all for the worker. Minor units of `currency`. */
export const tip = z.object({
  id,
  engagementId: id,
  kind: z.enum(tipKinds),
  amountMinor: z.number().int(),
  currency,
  note: z.string(),
  status: z.enum(['paying', 'paid', 'failed']),
  at: instant,
  charge: charge.nullable(),
});
export type Tip = z.infer<typeof tip>;
