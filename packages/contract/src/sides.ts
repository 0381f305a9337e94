import { z } from 'zod';
import { instant } from './operation.ts';

/** The business side of some work, as far as the other side may see it. */
export const businessRef = z.object({
  id: z.uuid(),
  name: z.string(),
  verified: z.boolean(),
  logoPath: z.string().nullable(),
});
/** The worker of an engagement, as far as the other side may see them. */
export const workerRef = z.object({ id: z.uuid(), name: z.string(), photoPath: z.string().nullable() });

/** One dated step of a record. `by` is a side. */
export const step = z.object({
  action: z.string(),
  status: z.string(),
  by: z.enum(['worker', 'business', 'timer', 'operator']),
  at: instant,
  reason: z.string().nullable(),
});
export type Step = z.infer<typeof step>;

/** The caller's side of a record; one person can be on either, never on both. */
export const sides = ['worker', 'business'] as const;
export type Side = (typeof sides)[number];

export const otherSide = (side: Side): Side => (side === 'worker' ? 'business' : 'worker');
