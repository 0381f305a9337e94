import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { dayMinutes } from '../durations.ts';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { day, id, instant, line, operation } from '../operation.ts';
import { peopleLimits } from '../people/limits.ts';
import { labelName } from '../people/names.ts';
import { point } from '../people/places.ts';
import { weekdays } from '../people/profile-choices.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { jobKinds } from '../work/terms.ts';
import { nearbyLimits } from './nearby-start.ts';
import { searchAlerts, searchNameMax } from './saved-searches.rules.ts';

const radiusMinKm = 0.1;

/** The filters of a search, as in `nearby.search`. Null means any value. */
const filters = {
  ...point.shape,
  place: line(peopleLimits.placeLabelMax),
  radiusKm: z.number().min(radiusMinKm).max(nearbyLimits.radiusMaxKm),
  category: z.enum(categoryIds).nullable(),
  kind: z.enum(jobKinds).nullable(),
  /** Minor units per hour, in `currency`. */
  minPay: z.number().int().min(1).max(maxMinor).nullable(),
  /** Minor units for the whole job, in `currency`. */
  minTotal: z.number().int().min(1).max(maxMinor).nullable().default(null),
  currency: currency.nullable(),
  /** Days in the job's zone, inclusive. */
  from: day.nullable(),
  to: day.nullable(),
  /** Days of the week in the job's zone. An empty list matches every day. */
  weekdays: z.array(z.enum(weekdays)).max(weekdays.length).default([]),
  /** Minutes after midnight in the job's zone. */
  startsFrom: z
    .number()
    .int()
    .min(0)
    .max(dayMinutes - 1)
    .nullable()
    .default(null),
  endsBy: z.number().int().min(1).max(dayMinutes).nullable().default(null),
  maxMinutes: z.number().int().min(1).max(limits.shiftMinutesMax).nullable().default(null),
  q: line(limits.searchMax).nullable(),
};

const name = labelName(searchNameMax);
const alert = z.enum(searchAlerts);

/** `timeZone` is the point's; its country decides about miles. */
export const savedSearch = z.object({
  id,
  name: z.string(),
  ...filters,
  alert,
  timeZone: z.string(),
  savedAt: instant,
});
export type SavedSearch = z.infer<typeof savedSearch>;

const searchRef = z.object({ savedSearchId: id });

/** Saved searches and their alerts. Private to the account (ADR 151). */
export const savedSearches = {
  create: operation({ access: 'signed-in', errors: ['saved-search/too-many'], effects: [] })
    .route({ method: 'POST', path: '/me/saved-searches', summary: 'Save a search' })
    .input(z.object({ name, ...filters, alert }))
    .output(savedSearch),
  list: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/me/saved-searches',
      summary: 'List your saved searches, last saved first',
    })
    .output(z.array(savedSearch)),
  update: operation({ access: 'signed-in', errors: ['saved-search/not-found'], effects: [] })
    .route({
      method: 'PATCH',
      path: '/me/saved-searches/{savedSearchId}',
      summary: 'Rename a saved search or change its alert',
    })
    .input(searchRef.extend({ name: name.optional(), alert: alert.optional() }))
    .output(savedSearch),
  remove: operation({ access: 'signed-in', errors: ['saved-search/not-found'], effects: [] })
    .route({
      method: 'DELETE',
      path: '/me/saved-searches/{savedSearchId}',
      summary: 'Remove a saved search; it can be restored for a day',
    })
    .input(searchRef)
    .output(z.object({ savedSearchId: id })),
  restore: operation({
    access: 'signed-in',
    errors: ['saved-search/not-found', 'saved-search/too-many'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/me/saved-searches/{savedSearchId}/restore',
      summary: 'Undo the removal of a saved search',
    })
    .input(searchRef)
    .output(savedSearch),
};
