import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import type { NearbyCard } from '@nearhand/contract/hiring/nearby-card';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import type { ShownRow } from '../jobs/jobs.columns.ts';

type Common = NonNullable<NearbyPage['common']>;

/** What the cards of a page leave out: currency, zone, unit of pay and unpaid break of the first. */
export const commonOf = ([first]: readonly ShownRow[]): Common | null =>
  first === undefined
    ? null
    : {
        currency: first.currency,
        timeZone: first.time_zone,
        unit: first.pay_unit,
        unpaidMinutes: unpaidMinutesOf(first),
      };

const unpaidMinutesOf = (row: ShownRow): number => (row.break_paid ? 0 : row.break_minutes);

/** A job as a list around `from` shows it, without what is absent or `common` (`nearby-card.rules.ts` fills it in). */
export function nearbyCardOf(row: ShownRow, from: Point, common: Common | null): NearbyCard {
  const { starts_at: starts, ends_at: ends } = row;
  const place = { lat: row.shown_lat, lng: row.shown_lng };
  const rating = ratingOf(row.business_stars);
  const unpaid = unpaidMinutesOf(row);
  // Undefined fields are not part of the response.
  return {
    id: row.id,
    title: row.title,
    category: row.category,
    business: {
      name: row.business_name,
      verified: row.business_verified || undefined,
      logoPath: row.business_logo === null ? undefined : fileContentPath(row.business_logo),
      rating: rating.averageTenths === null ? undefined : rating,
    },
    pay: {
      minor: row.pay_minor ?? 0,
      maxMinor: row.pay_max_minor ?? undefined,
      currency: row.currency === common?.currency ? undefined : row.currency,
      unit: row.pay_unit === common?.unit ? undefined : row.pay_unit,
      unpaidMinutes: starts && ends && unpaid !== common?.unpaidMinutes ? unpaid : undefined,
      workerFeeBasisPoints: row.worker_fee_basis_points || undefined,
    },
    place: { lat: toMetre(place.lat), lng: toMetre(place.lng), blurred: row.blurred || undefined },
    distanceM: Math.round(metresBetween(from, place)),
    startsAt: starts ? instantOf(starts) : undefined,
    endsAt: ends ? instantOf(ends) : undefined,
    dueOn: row.due_on ?? undefined,
    hoursNote: row.hours_note ?? undefined,
    timeZone: row.time_zone === common?.timeZone ? undefined : row.time_zone,
    instantHire: row.instant_hire || undefined,
    funded: row.funded || undefined,
  };
}

const degreesPerMetre = 100_000;
/** Five decimals of a degree: a metre. */
const toMetre = (degrees: number): number => Math.round(degrees * degreesPerMetre) / degreesPerMetre;

/** Without the milliseconds that hardly any time has. */
const instantOf = (at: Date): string => at.toISOString().replace('.000Z', 'Z');
