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

/** One dated step of a record, and the status that the record had after it. */
export const stepOf = <Status extends string>(statuses: readonly Status[]) =>
  z.object({
    action: z.string(),
    status: z.enum(statuses),
    by: z.enum(['worker', 'business', 'timer', 'operator']),
    at: instant,
    reason: z.string().nullable(),
  });
export type Step<Status extends string = string> = z.infer<ReturnType<typeof stepOf<Status>>>;

/** The caller's side of a record; one person can be on either, never on both. */
export const sides = ['worker', 'business'] as const;
export type Side = (typeof sides)[number];

export const otherSide = (side: Side): Side => (side === 'worker' ? 'business' : 'worker');
