import { z } from 'zod';
import { currency } from '../money.ts';
import { day, id, instant } from '../operation.ts';
import { rating } from '../people/rating.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { jobCard, payUnits } from './jobs.ts';

const yes = z.literal(true).optional();

/** A job in a list around a place. Absent values are the page's, which `nearby-card.rules.ts` fills in. */
export const nearbyCard = z.object({
  id,
  title: z.string(),
  category: z.enum(categoryIds),
  business: z.object({
    name: z.string(),
    verified: yes,
    logoPath: z.string().optional(),
    rating: rating.optional(),
  }),
  pay: z.object({
    minor: z.number().int(),
    maxMinor: z.number().int().optional(),
    currency: currency.optional(),
    unit: z.enum(payUnits).optional(),
    unpaidMinutes: z.number().int().optional(),
    workerFeeBasisPoints: z.number().int().optional(),
  }),
  /** Precise to a metre. `blurred` as in a job. */
  place: z.object({ lat: z.number(), lng: z.number(), blurred: yes }),
  /** Great-circle metres from the given point. */
  distanceM: z.number().int(),
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  dueOn: day.optional(),
  hoursNote: z.string().optional(),
  timeZone: z.string().optional(),
  instantHire: yes,
  funded: yes,
  /** The job asks for a skill of the viewer's profile; only in the order by distance. */
  matchesSkills: yes,
  series: jobCard.shape.series.unwrap().optional(),
});
export type NearbyCard = z.infer<typeof nearbyCard>;
