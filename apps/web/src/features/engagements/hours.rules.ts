import { payForMinutes, share } from '@nearhand/contract/arithmetic';
import { minuteMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/engagements';
import type { Terms } from '@nearhand/contract/terms';
import { clockIn, dayAfter, instantAt } from '../../lib/zoned-time.ts';

/** Hours as they are typed, on clocks of the place. */
export type TypedHours = { day: string; from: string; to: string; breakMinutes: string };
export type Hours = { startsAt: string; endsAt: string; breakMinutes: number };
export type HoursTrouble = 'time' | 'break' | 'too-long' | 'future';
const minutesBetween = (from: string, to: string): number =>
  Math.floor((Date.parse(to) - Date.parse(from)) / minuteMs);

type Attendance = Engagement['attendance'];
type Kind = Attendance[number]['kind'];

/** Milliseconds of a span between events of one kind and the next of another; what nobody ended runs to the end of the span. */
function msBetween(attendance: Attendance, begin: Kind, end: Kind, from: string, to: string): number {
  let total = 0;
  let open: string | null = null;
  const add = (start: string, until: string) => {
    const ms = Math.min(Date.parse(until), Date.parse(to)) - Math.max(Date.parse(start), Date.parse(from));
    total += Math.max(0, ms);
  };
  for (const { kind, at } of attendance) {
    if (kind === begin) open ??= at;
    else if (kind === end && open) {
      add(open, at);
      open = null;
    }
  }
  if (open) add(open, to);
  return total;
}

/** Whether a break was recorded, or somebody left and came back. */
export const hasBreak = (attendance: Attendance): boolean =>
  attendance.some(({ kind }) => kind === 'break_start') ||
  attendance.filter(({ kind }) => kind === 'check_in').length > 1;

/** A span with what was recorded in it, as the server reckons it: time away is a break that is not paid (ADR 0061). */
export function recordedSpan(
  { attendance, terms }: Pick<Engagement, 'attendance' | 'terms'>,
  startsAt: string,
  endsAt: string,
): Hours {
  const rested = msBetween(attendance, 'break_start', 'break_end', startsAt, endsAt);
  const away = msBetween(attendance, 'check_out', 'check_in', startsAt, endsAt);
  if (!terms.breakPaid || away === 0)
    return { startsAt, endsAt, breakMinutes: Math.floor((rested + away) / minuteMs) };
  const until = new Date(Date.parse(endsAt) - away).toISOString();
  return { startsAt, endsAt: until, breakMinutes: Math.floor(rested / minuteMs) };
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
  const span = recordedSpan(work, from, to);
  const recorded = work.checkedInAt && work.checkedOutAt;
  return { ...span, breakMinutes: recorded ? span.breakMinutes : Math.max(span.breakMinutes, breakMinutes) };
}

/**
 * What a counter-proposal starts from: the record, but never a shorter break than was claimed, or planned where nothing was claimed: that nobody logged
 * a break does not say that there was none, and the proposal must not pay it by mistake.
 */
export function hoursToCounter(
  work: Parameters<typeof hoursToStart>[0],
  claim: Pick<Hours, 'startsAt' | 'endsAt' | 'breakMinutes'> | null,
): Hours | null {
  const start = hoursToStart(work) ?? claim;
  if (!start) return null;
  const { startsAt, endsAt, breakMinutes } = start;
  return {
    startsAt,
    endsAt,
    breakMinutes: Math.max(breakMinutes, claim?.breakMinutes ?? work.terms.breakMinutes),
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
