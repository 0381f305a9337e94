import type { NearbyInput } from '@nearhand/contract/hiring/nearby';
import { limits } from '@nearhand/contract/limits';
import { type DayPart, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability } from '@nearhand/contract/people/profiles';

/** The next radius choices after the requested one, in kilometres. */
export const widerRadii = (radiusKm: number): number[] =>
  limits.radiusChoicesKm.filter((choice) => choice > radiusKm);

/**
 * The radius in force: the requested one if it holds enough, otherwise the next choice that does, otherwise the widest (product.md:
 * widened when fewer than 10 results). `nearestM` are the nearest distances in metres, in order, at least as many as are enough.
 */
export function radiusInForce(askedKm: number, nearestM: readonly number[]): number {
  const enough = limits.widenBelowResults;
  const farthestNeeded = nearestM[enough - 1];
  const choices = [askedKm, ...widerRadii(askedKm)];
  const fitting = choices.find((km) => farthestNeeded !== undefined && farthestNeeded <= km * 1000);
  return fitting ?? choices.at(-1) ?? askedKm;
}

/** What jobs are sorted by. */
type Sorted = {
  id: string;
  published_at: Date | null;
  start_rank: number;
  pay_hour_minor: number | null;
};

const sortValues: Record<Exclude<NearbyInput['sort'], 'distance'>, (row: Sorted) => number> = {
  newest: (row) => row.published_at?.getTime() ?? 0,
  pay: (row) => row.pay_hour_minor ?? 0,
  soonest: (row) => row.start_rank,
};

/** A comparison of found jobs as the database orders them: the largest value first, then the largest id. */
export function orderBy(by: keyof typeof sortValues): (a: Sorted, b: Sorted) => number {
  const value = sortValues[by];
  return (a, b) => value(b) - value(a) || (a.id < b.id ? 1 : -1);
}

/** The parts of a day from midnight on, six hours each. */
const partsFromMidnight: readonly DayPart[] = ['night', 'morning', 'afternoon', 'evening'];

/** The free parts of a week numbered from Monday's night on, 0 to 27; null where nothing or everything is free, which filters nothing. */
export function weekSlots(grid: Availability): number[] | null {
  const count = weekdays.length * partsFromMidnight.length;
  if (grid.length === 0 || grid.length === count) return null;
  return grid.map(
    ({ day, part }) => weekdays.indexOf(day) * partsFromMidnight.length + partsFromMidnight.indexOf(part),
  );
}
