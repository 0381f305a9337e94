import { payForMinutes, share } from '@nearhand/contract/arithmetic';
import type { Engagement } from '@nearhand/contract/engagements';
import type { Terms } from '@nearhand/contract/terms';
import { clockIn, dayAfter, instantAt } from '../../lib/zoned-time.ts';

/** Hours as they are typed, on clocks of the place. */
export type TypedHours = { day: string; from: string; to: string; breakMinutes: string };
export type Hours = { startsAt: string; endsAt: string; breakMinutes: number };
export type HoursTrouble = 'time' | 'break' | 'too-long' | 'future';

const minuteMs = 60_000;
const minutesBetween = (from: string, to: string): number =>
  Math.floor((Date.parse(to) - Date.parse(from)) / minuteMs);

/** Recorded breaks in whole minutes; one that nobody ended runs to the end. */
export function recordedBreak(attendance: Engagement['attendance'], endsAt: string): number {
  let total = 0;
  let open: string | null = null;
  for (const { kind, at } of attendance) {
    if (kind === 'break_start') open ??= at;
    else if (kind === 'break_end' && open) {
      total += Date.parse(at) - Date.parse(open);
      open = null;
    }
  }
  if (open) total += Math.max(0, Date.parse(endsAt) - Date.parse(open));
  return Math.floor(total / minuteMs);
}

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b);

/**
 * The hours to start from: what was recorded, from the planned start at the earliest; where nothing was recorded, as planned. Null for a task.
 */
export function hoursToStart(
  work: Pick<Engagement, 'terms' | 'checkedInAt' | 'checkedOutAt' | 'attendance'>,
): Hours | null {
  const { startsAt, endsAt, breakMinutes } = work.terms;
  if (!startsAt || !endsAt) return null;
  const from = work.checkedInAt ? later(work.checkedInAt, startsAt) : startsAt;
  const to =
    work.checkedOutAt && Date.parse(work.checkedOutAt) > Date.parse(from) ? work.checkedOutAt : endsAt;
  const rested = recordedBreak(work.attendance, to);
  return {
    startsAt: from,
    endsAt: to,
    breakMinutes: work.checkedInAt && work.checkedOutAt ? rested : Math.max(rested, breakMinutes),
  };
}

export function typedHours(hours: Hours, timeZone: string): TypedHours {
  const start = clockIn(hours.startsAt, timeZone);
  return {
    day: start.day,
    from: start.time,
    to: clockIn(hours.endsAt, timeZone).time,
    breakMinutes: String(hours.breakMinutes),
  };
}

/** The hours that were typed, or what is wrong with them. An end that is not after the start is one of the next day. */
export function hoursFromTyped(
  typed: TypedHours,
  timeZone: string,
  now: Date,
): { hours: Hours } | { trouble: HoursTrouble } {
  const startsAt = instantAt(typed.day, typed.from, timeZone);
  if (startsAt === null || !/^\d{2}:\d{2}$/.test(typed.to)) return { trouble: 'time' };
  const overNight = typed.to <= typed.from;
  const endsAt = instantAt(overNight ? dayAfter(typed.day, 1) : typed.day, typed.to, timeZone);
  if (endsAt === null) return { trouble: 'time' };
  const whole = minutesBetween(startsAt, endsAt);
  if (whole > 24 * 60) return { trouble: 'too-long' };
  if (Date.parse(endsAt) > now.getTime()) return { trouble: 'future' };
  const text = typed.breakMinutes.trim() || '0';
  if (!/^\d{1,4}$/.test(text) || Number(text) >= whole) return { trouble: 'break' };
  return { hours: { startsAt, endsAt, breakMinutes: Number(text) } };
}

/** Paid minutes of hours and the pay for them, as the server reckons it. */
export function payOfHours(hours: Hours, terms: Pick<Terms, 'payMinor' | 'breakPaid'>) {
  const worked = minutesBetween(hours.startsAt, hours.endsAt);
  const paidMinutes = Math.max(0, worked - (terms.breakPaid ? 0 : hours.breakMinutes));
  return { paidMinutes, amountMinor: payForMinutes(terms.payMinor, paidMinutes) };
}

/** What of an amount the worker gets after their own fee. */
export const workerShare = (
  minor: number,
  { workerFeeBasisPoints }: Pick<Terms, 'workerFeeBasisPoints'>,
): number => minor - share(minor, workerFeeBasisPoints);
