import { z } from 'zod';
import { limits } from '../limits.ts';
import { maxMinor } from '../money.ts';
import { day, line, operation, pageInput, pageOf, queryFlag, queryNumber } from '../operation.ts';
import { queryPoint } from '../people/places.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { jobKinds } from '../work/terms.ts';
import { jobCard } from './jobs.ts';

/** `pay` sorts by hourly pay, highest first; jobs without hours come last (ADR 0007). */
export const nearbySorts = ['distance', 'newest', 'pay'] as const;
export type NearbySort = (typeof nearbySorts)[number];

/** Nearby filters. `minPay` in minor units per hour, in the local jobs' currency. */
export const nearbyInput = z.object({
  ...queryPoint,
  radiusKm: queryNumber.min(0.1).max(limits.radiusMaxKm).default(limits.radiusDefaultKm),
  /** Widens the radius to the next choice while fewer than 10 are found (first page only; later pages keep their cursor's radius). */
  widen: queryFlag.default(true),
  sort: z.enum(nearbySorts).default('distance'),
  category: z.enum(categoryIds).optional(),
  kind: z.enum(jobKinds).optional(),
  minPay: queryNumber.int().min(0).max(maxMinor).optional(),
  /** Days in the job's zone, inclusive; jobs without set hours match no day. */
  from: day.optional(),
  to: day.optional(),
  /** Words in title, description, business or place. */
  q: line(limits.searchMax, 0).optional(),
  ...pageInput,
});
export type NearbyInput = z.infer<typeof nearbyInput>;

/** A page of jobs around a point. */
export const nearbyPage = pageOf(jobCard).extend({
  /** The radius in force, and whether it was widened. */
  radiusKm: z.number(),
  widened: z.boolean(),
});
export type NearbyPage = z.infer<typeof nearbyPage>;

/** Search for open jobs around a point. */
export const nearby = {
  search: operation({ access: 'public', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/jobs/nearby', summary: 'Open jobs around a point' })
    .input(nearbyInput)
    .output(nearbyPage),
};
