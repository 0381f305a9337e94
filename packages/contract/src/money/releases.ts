import { z } from 'zod';
import { currency } from '../money.ts';
import { instant } from '../operation.ts';

/**
 * A payment to an engagement's worker, gross, in minor units of `currency`. `not_funded`: no hold covered it,
 * so it is owed. `reversed`: an operator reversed it. Tips and bonuses are in addition and without fee.
 */
export const release = z.object({
  kind: z.enum(['undisputed', 'rest', 'compensation', 'tip', 'bonus']),
  amountMinor: z.number().int(),
  workerGetsMinor: z.number().int(),
  currency,
  state: z.enum(['not_funded', 'released', 'reversed']),
  at: instant,
  /** When the worker can withdraw it; null: at once. */
  clearsAt: instant.nullable(),
  note: z.string(),
});
export type Release = z.infer<typeof release>;
