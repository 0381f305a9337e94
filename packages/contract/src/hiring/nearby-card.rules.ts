import { payForMinutes } from '../arithmetic.ts';
import type { Currency } from '../currencies.ts';
import { paidMinutes } from '../work/timesheets.rules.ts';
import type { JobCard, Pay, PayUnit } from './jobs.ts';
import type { NearbyCard } from './nearby-card.ts';

export type ShownJob = Pick<
  JobCard,
  | 'id'
  | 'title'
  | 'category'
  | 'place'
  | 'distanceM'
  | 'startsAt'
  | 'endsAt'
  | 'dueOn'
  | 'hoursNote'
  | 'timeZone'
  | 'instantHire'
  | 'funded'
  | 'series'
> & {
  business: Omit<JobCard['business'], 'id'>;
  matchesSkills?: boolean;
  pay: Omit<Pay, 'businessFeeBasisPoints'>;
};

export type PageCommon = { currency: Currency; timeZone: string; unit: PayUnit; unpaidMinutes: number };

/** One worker's pay for the whole job. Null if there is no pay, if the minutes are unknown, and for other units. */
export function payTotal(pay: Pick<Pay, 'minor' | 'unit' | 'paidMinutes'>): number | null {
  if (pay.minor === 0) return null;
  if (pay.unit === 'fixed') return pay.minor;
  return pay.unit === 'hour' && pay.paidMinutes !== null ? payForMinutes(pay.minor, pay.paidMinutes) : null;
}

/** A card with the values it omits filled in from its page. The distance replaces the place's label. */
export function shownJob(card: NearbyCard, common: PageCommon): ShownJob {
  const { business, pay, place } = card;
  const { minor, unit = common.unit, unpaidMinutes = common.unpaidMinutes } = pay;
  const minutes =
    card.startsAt !== undefined && card.endsAt !== undefined
      ? paidMinutes(new Date(card.startsAt), new Date(card.endsAt), unpaidMinutes, false)
      : null;
  return {
    id: card.id,
    title: card.title,
    category: card.category,
    business: {
      name: business.name,
      verified: business.verified ?? false,
      logoPath: business.logoPath ?? null,
      rating: business.rating ?? { count: 0, averageTenths: null },
    },
    pay: {
      minor,
      unit,
      paidMinutes: minutes,
      maxMinor: pay.maxMinor ?? null,
      currency: pay.currency ?? common.currency,
      totalMinor: payTotal({ minor, unit, paidMinutes: minutes }),
      workerFeeBasisPoints: pay.workerFeeBasisPoints ?? 0,
    },
    place: { label: '', lat: place.lat, lng: place.lng, blurred: place.blurred ?? false },
    distanceM: card.distanceM,
    startsAt: card.startsAt ?? null,
    endsAt: card.endsAt ?? null,
    dueOn: card.dueOn ?? null,
    hoursNote: card.hoursNote ?? null,
    timeZone: card.timeZone ?? common.timeZone,
    instantHire: card.instantHire ?? false,
    funded: card.funded ?? false,
    matchesSkills: card.matchesSkills ?? false,
    series: card.series ?? null,
  };
}

export const mileM = 1_609.344;

/** The outer edges of Explore's bands of distance, in metres: round kilometres, or round miles. */
export const bandEdgesM = {
  km: [1, 2, 5, 10, 25, 50, 100].map((km) => km * 1_000),
  miles: [0.5, 1, 3, 5, 10, 25, 50, 100].map((miles) => miles * mileM),
};
