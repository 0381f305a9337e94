import { z } from 'zod';
import { currency } from '../money.ts';
import { instant } from '../operation.ts';

/**
 * A gross payment to a worker, in minor units. `not_funded` pay is owed, because no hold covered it. Tips
 * have no fee.
 */
export const release = z.object({
  kind: z.enum(['undisputed', 'rest', 'compensation', 'tip', 'bonus']),
  amountMinor: z.number().int(),
  workerGetsMinor: z.number().int(),
  currency,
  state: z.enum(['not_funded', 'released', 'reversed']),
  at: instant,
  /** The earliest withdrawal; null if at once. */
  clearsAt: instant.nullable(),
  note: z.string(),
});
export type Release = z.infer<typeof release>;
