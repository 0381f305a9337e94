import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { dayMinutes } from '../durations.ts';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import {
  day,
  line,
  operation,
  pageInput,
  pageOf,
  queryFlag,
  queryInteger,
  queryList,
  queryNumber,
} from '../operation.ts';
import { queryPoint } from '../people/places.ts';
import { weekdays } from '../people/profile-choices.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { jobKinds } from '../work/terms.ts';
import { payUnits } from './jobs.ts';
import { nearbyCard } from './nearby-card.ts';
import { nearbyLimits } from './nearby-start.ts';

/**
 * Orders of nearby jobs. Jobs without the value of `pay`, `total` or `soonest` come last.
 * - `distance`: within each band of distance, jobs that match the viewer's skills first; at most two jobs of a
 *   business in a row where others are about as near.
 * - `best`: the nearest matches by radius choice, then words in the title, other names of that work in the
 *   title, its skill, words elsewhere, then employers in turn, then distance (ADR 6).
 * - `pay`: hourly pay, highest first (ADR 7). `total`: pay for the whole job. `soonest`: start or due date.
 */
export const nearbySorts = ['distance', 'best', 'newest', 'pay', 'total', 'soonest'] as const;
export type NearbySort = (typeof nearbySorts)[number];

/**
 * Filters of jobs around a point. `minPay` in minor units per hour, `minTotal` for the whole job, in the
 * local jobs' currency.
 */
const filters = {
  ...queryPoint,
  radiusKm: queryNumber(0.1, nearbyLimits.radiusMaxKm).default(nearbyLimits.radiusDefaultKm),
  category: z.enum(categoryIds).optional(),
  kind: z.enum(jobKinds).optional(),
  minPay: queryInteger(0, maxMinor).optional(),
  minTotal: queryInteger(0, maxMinor).optional(),
  /** Days in the job's zone, inclusive; jobs without set hours match no day. */
  from: day.optional(),
  to: day.optional(),
  /** Such days of the week in the job's zone; jobs without set hours match none. */
  weekdays: queryList(weekdays).optional(),
  /** Starts then or later, in minutes after midnight in the job's zone. */
  startsFrom: queryInteger(0, dayMinutes - 1).optional(),
  /**
   * The latest end, in minutes after the midnight before the start in the job's zone: 1440 is the following midnight.
   */
  endsBy: queryInteger(1, dayMinutes).optional(),
  /** Takes at most so many minutes, breaks included; jobs without set hours never do. */
  maxMinutes: queryInteger(1, limits.shiftMinutesMax).optional(),
  /**
   * Words in title, description, business, place or skill names; plurals and typing errors match too, fillers
   * such as "jobs near me" don't count (ADR 6).
   */
  q: line(limits.searchMax, 0).optional(),
  instant: queryFlag.default(false),
  funded: queryFlag.default(false),
  verified: queryFlag.default(false),
  /** Starts at 16:00 or later in the job's zone; jobs without set hours never do. Of several parts of the day, any counts. */
  evening: queryFlag.default(false),
  /** Starts from 5:00 to 11:59 in the job's zone; jobs without set hours never do. */
  morning: queryFlag.default(false),
  /** Starts from 12:00 to 15:59 in the job's zone; jobs without set hours never do. */
  afternoon: queryFlag.default(false),
  /**
   * Only within the hours in the viewer's profile and outside their booked work. For a guest every job fits.
   */
  fits: queryFlag.default(false),
};

export const nearbyInput = z.object({
  ...filters,
  /** Widens the radius to the next choice while fewer than 10 are found, on the first page only. */
  widen: queryFlag.default(true),
  sort: z.enum(nearbySorts).default('distance'),
  ...pageInput,
});
const nearbyCountInput = z.object(filters);
export type NearbyCountInput = z.infer<typeof nearbyCountInput>;
export type NearbyInput = z.infer<typeof nearbyInput>;

export const nearbyPage = pageOf(nearbyCard).extend({
  /** Values of the cards that omit them; null on an empty page. */
  common: z
    .object({ currency, timeZone: z.string(), unit: z.enum(payUnits), unpaidMinutes: z.number().int() })
    .nullable(),
  radiusKm: z.number(),
  widened: z.boolean(),
  /** Words that no job uses, and the similar ones that were also searched for. */
  respelled: z.array(z.object({ typed: z.string(), meant: z.array(z.string()) })),
  /**
   * Only if the whole words found nothing: words that no job within 100 km uses or that don't name work, and
   * the text that was searched for instead.
   */
  leftOut: z.object({ words: z.array(z.string()), searched: z.string() }).optional(),
  /**
   * Up to three similar words that jobs within 100 km use, the most similar first. Only if the words found
   * nothing.
   */
  suggestions: z.array(z.string()).optional(),
  /**
   * Ways to read the words as work and a place, likeliest first. Only if the whole words found nothing (ADR
   * 6).
   */
  splits: z.array(z.object({ what: z.string(), where: z.string() })).optional(),
});
export type NearbyPage = z.infer<typeof nearbyPage>;
export type WordsSplit = NonNullable<NearbyPage['splits']>[number];

export const nearby = {
  search: operation({ access: 'public', errors: ['request/bad-cursor'], revalidated: 'public' })
    .route({ method: 'GET', path: '/jobs/nearby', summary: 'Open jobs around a point' })
    .input(nearbyInput)
    .output(nearbyPage),
  count: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/jobs/nearby/count',
      summary: 'Count matching open jobs, without widening; up to 100',
    })
    .input(nearbyCountInput)
    /** `more`: there are more than `count`. */
    .output(z.object({ count: z.number().int(), more: z.boolean() })),
};
