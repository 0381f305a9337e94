import { z } from 'zod';
import { id, operation } from '../operation.ts';

const wholePercent = 100;
const percent = z.number().int().min(0).max(wholePercent);

/**
 * A worker's reliability over 365 days. `percent` is null with fewer than three facts; contested no-shows don't
 * count yet.
 */
export const workerReliability = z.object({
  percent: percent.nullable(),
  kept: z.number().int(),
  lateCancellations: z.number().int(),
  noShows: z.number().int(),
  /** Check-ins more than five minutes late, among the kept work. */
  lateArrivals: z.number().int(),
  interviewsMissed: z.number().int(),
});
export type WorkerReliability = z.infer<typeof workerReliability>;

export const businessReliability = z.object({
  percent: percent.nullable(),
  kept: z.number().int(),
  lateCancellations: z.number().int(),
  interviewsMissed: z.number().int(),
  /** The percentage of applications answered before their deadline; null with fewer than three. */
  answeredPercent: percent.nullable(),
  /** Median hours from submission to approval; null with fewer than three. */
  approvalHours: z.number().int().nullable(),
  disputes: z.number().int(),
});
export type BusinessReliability = z.infer<typeof businessReliability>;

/** Reliability of both sides, calculated on read (ADR 45). */
export const reliability = {
  mine: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/reliability/me',
      summary: 'Get your reliability as a worker, with its parts',
    })
    .output(workerReliability),
  ofWorker: operation({ access: 'member:coordinator', errors: ['profile/not-found'] })
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
