import { z } from 'zod';
import { id, operation } from '../operation.ts';

const wholePercent = 100;
const percent = z.number().int().min(0).max(wholePercent);

/**
 * How reliable a worker is, from facts of the last 365 days (product.md: reliability measured on both sides). `percent` is kept of all that
 * counted, null below three. Contested no-shows do not count until they are decided.
 */
export const workerReliability = z.object({
  percent: percent.nullable(),
  /** Engagements worked to their end. */
  kept: z.number().int(),
  lateCancellations: z.number().int(),
  noShows: z.number().int(),
  /** Check-ins more than five minutes after the start, of those kept. */
  lateArrivals: z.number().int(),
  interviewsMissed: z.number().int(),
});
export type WorkerReliability = z.infer<typeof workerReliability>;

/** The same for a business. */
export const businessReliability = z.object({
  percent: percent.nullable(),
  kept: z.number().int(),
  lateCancellations: z.number().int(),
  interviewsMissed: z.number().int(),
  /** Applications answered before their decide-by, of those that had to be; percent, null below three. */
  answeredPercent: percent.nullable(),
  /** Median hours from submitted hours to approval; null below three. */
  approvalHours: z.number().int().nullable(),
  disputes: z.number().int(),
});
export type BusinessReliability = z.infer<typeof businessReliability>;

/** How much of what was agreed somebody kept, reckoned when asked (ADR 0045). */
export const reliability = {
  mine: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/reliability/me',
      summary: 'The own reliability as a worker, with what it is made of',
    })
    .output(workerReliability),
  ofWorker: operation({ access: 'member:recruiter', errors: ['profile/not-found'] })
    .route({
      method: 'GET',
      path: '/workers/{workerId}/reliability',
      summary: 'Reliability of a worker who applied to you',
    })
    .input(z.object({ workerId: id }))
    .output(workerReliability),
  ofBusiness: operation({ access: 'public', errors: ['business/not-found'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/reliability',
      summary: 'Reliability of a business',
    })
    .input(z.object({ businessId: id }))
    .output(businessReliability),
};
