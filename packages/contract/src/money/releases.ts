import { z } from 'zod';
import { currency } from '../money.ts';
import { instant } from '../operation.ts';

/**
 * A payment to the worker of an engagement, gross. `not_funded`: no hold covered it, so it is owed and not paid yet; shown so. Tips and bonuses are beside the
 * pay and carry no fee. Minor units of `currency`.
 */
export const release = z.object({
  kind: z.enum(['undisputed', 'rest', 'compensation', 'tip', 'bonus']),
  amountMinor: z.number().int(),
  /** What of it the worker gets. */
  workerGetsMinor: z.number().int(),
  currency,
  state: z.enum(['not_funded', 'released']),
  at: instant,
  /** When the worker can take it out; null: at once. */
  clearsAt: instant.nullable(),
  note: z.string(),
});
export type Release = z.infer<typeof release>;
