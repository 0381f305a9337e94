import { z } from 'zod';
import { currency } from '../money.ts';
import { instant } from '../operation.ts';

/**
 * A payment to an engagement's worker, gross. `not_funded`: no hold covered it, so it is owed, and shown so.
 * `reversed`: an operator took it back. Tips and bonuses are in
 * addition and without fee. Minor units of `currency`.
 */
export const release = z.object({
  kind: z.enum(['undisputed', 'rest', 'compensation', 'tip', 'bonus']),
  amountMinor: z.number().int(),
  /** What the worker gets of it. */
  workerGetsMinor: z.number().int(),
  currency,
  state: z.enum(['not_funded', 'released', 'reversed']),
  at: instant,
  /** The time at which the worker can withdraw it; null: at once. */
  clearsAt: instant.nullable(),
  note: z.string(),
});
export type Release = z.infer<typeof release>;
