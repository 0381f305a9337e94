import type { Currency } from '@nearhand/contract/currencies';
import type { RosterShift } from '@nearhand/contract/hiring/roster';
import { dayIn } from '../../lib/words/format.ts';

/** Planned, and seen by workers: a draft or a shift in review is seen by nobody. */
export const isPosted = ({ status }: Pick<RosterShift, 'status'>): boolean =>
  status !== 'draft' && status !== 'in_review';

/** Spots with nobody on them and no offer out. */
export const openSpots = ({ headCount, people }: Pick<RosterShift, 'headCount' | 'people'>): number =>
  Math.max(0, headCount - people.length);

/** Open spots of posted shifts that have not started. */
export const gapsOf = (shifts: readonly RosterShift[], now: Date): number =>
  shifts
    .filter((shift) => isPosted(shift) && Date.parse(shift.startsAt) > now.getTime())
    .reduce((sum, shift) => sum + openSpots(shift), 0);

export const dayOf = ({ startsAt, timeZone }: Pick<RosterShift, 'startsAt' | 'timeZone'>): string =>
  dayIn(startsAt, timeZone);

export type RosterSums = { minutes: number; costs: { currency: Currency; minor: number }[] };

/** What posted shifts take and cost with everyone on them, Nearhand's fee included; one sum per currency. */
export function sumsOf(shifts: readonly RosterShift[]): RosterSums {
  const costs = new Map<Currency, number>();
  let minutes = 0;
  for (const shift of shifts) {
    if (!isPosted(shift)) continue;
    minutes += shift.paidMinutes * shift.headCount;
    if (shift.costMinor !== null)
      costs.set(shift.currency, (costs.get(shift.currency) ?? 0) + shift.costMinor * shift.headCount);
  }
  return { minutes, costs: [...costs].map(([currency, minor]) => ({ currency, minor })) };
}

/** Shifts by title, in the order in which each title first starts. */
export function byTitle(shifts: readonly RosterShift[]): { title: string; shifts: RosterShift[] }[] {
  const groups = new Map<string, RosterShift[]>();
  for (const shift of shifts) groups.set(shift.title, [...(groups.get(shift.title) ?? []), shift]);
  return [...groups].map(([title, list]) => ({ title, shifts: list }));
}
