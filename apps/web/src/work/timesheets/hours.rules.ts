import { shareOfAmount } from '@nearhand/contract/arithmetic';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import { agreedPay } from '@nearhand/contract/money/releases.rules';
import { plainDigits } from '@nearhand/contract/typed-digits';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import {
  earliestHoursBeforePlan,
  type HoursProblem,
  hoursOfSpan,
  hoursProblem,
  minimumMinutes,
  type Plan,
  payOf,
  silentOutcomeOf,
} from '@nearhand/contract/work/timesheets.rules';
import { clockIn, skippedTime, spanAt } from '../../lib/words/zoned-time.ts';

export type TypedHours = { day: string; from: string; to: string; breakMinutes: string };
export type EnteredHours = { startsAt: string; endsAt: string; breakMinutes: number };
export type HoursFieldProblem =
  | 'time'
  | 'from-skipped'
  | 'to-skipped'
  | 'same'
  | 'break'
  | 'too-early'
  | 'too-late'
  | 'future';
const minutesBetween = (from: string, to: string): number =>
  Math.floor((Date.parse(to) - Date.parse(from)) / minuteMs);

type Attendance = Engagement['attendance'];

export const hasBreak = (attendance: Attendance): boolean =>
  attendance.some(({ kind }) => kind === 'break_start') ||
  attendance.filter(({ kind }) => kind === 'check_in').length > 1;

const planOf = (terms: Terms, span: { startsAt: Date; endsAt: Date }): Plan => ({
  startsAt: terms.startsAt ? new Date(terms.startsAt) : span.startsAt,
  endsAt: terms.endsAt ? new Date(terms.endsAt) : span.endsAt,
  breakMinutes: terms.breakMinutes,
  breakPaid: terms.breakPaid,
});

/** The hours recorded within a span, as the server calculates them. */
export function recordedSpan(
  { attendance, terms }: Pick<Engagement, 'attendance' | 'terms'>,
  startsAt: string,
  endsAt: string,
): EnteredHours {
  const events = attendance.map(({ kind, at }) => ({ kind, at: new Date(at) }));
  const span = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  const hours = hoursOfSpan(events, span, planOf(terms, span));
  if (!hours) return { startsAt, endsAt, breakMinutes: minutesBetween(startsAt, endsAt) };
  const isShortened = hours.endsAt.getTime() !== span.endsAt.getTime();
  return { ...hours, startsAt, endsAt: isShortened ? hours.endsAt.toISOString() : endsAt };
}

const laterOf = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b);

/** The outcome of a counter-proposal that the worker doesn't answer (ADR 43), by the server's rule. */
export function silenceAfterCounter(
  work: Pick<Engagement, 'terms' | 'checkedInAt' | 'checkedOutAt' | 'attendance' | 'claims' | 'releases'>,
  counterMinor: number,
) {
  const { terms, attendance, checkedInAt, checkedOutAt } = work;
  return silentOutcomeOf({
    attended: {
      checkedInAt: checkedInAt ? new Date(checkedInAt) : null,
      checkedOutAt: checkedOutAt ? new Date(checkedOutAt) : null,
      events: attendance.map(({ kind, at }) => ({ kind, at: new Date(at) })),
      contested: attendance.some(({ contested }) => contested),
    },
    plan: planOf(terms, { startsAt: new Date(terms.startsAt ?? 0), endsAt: new Date(terms.endsAt ?? 0) }),
    terms,
    agreedMinor: Math.max(agreedPay(work.releases), counterMinor),
    claims: [...work.claims, { by: 'business', amountMinor: counterMinor }],
  });
}

/** Prefilled hours: as recorded, but not before the planned start; as planned without a record. Null for a task. */
export function hoursToStart(
  work: Pick<Engagement, 'terms' | 'checkedInAt' | 'checkedOutAt' | 'attendance'>,
): EnteredHours | null {
  const { startsAt, endsAt, breakMinutes } = work.terms;
  if (!startsAt || !endsAt) return null;
  const from = work.checkedInAt ? laterOf(work.checkedInAt, startsAt) : startsAt;
  const to =
    work.checkedOutAt && Date.parse(work.checkedOutAt) > Date.parse(from) ? work.checkedOutAt : endsAt;
  const span = recordedSpan(work, from, to);
  const recorded = work.checkedInAt && work.checkedOutAt;
  return { ...span, breakMinutes: recorded ? span.breakMinutes : Math.max(span.breakMinutes, breakMinutes) };
}

/**
 * The prefilled counter-proposal: the record, otherwise the shorter of plan and claim, with at least the
 * claimed break.
 */
export function hoursToCounter(
  work: Parameters<typeof hoursToStart>[0],
  claim: Pick<EnteredHours, 'startsAt' | 'endsAt' | 'breakMinutes'> | null,
): EnteredHours | null {
  const prefilled = hoursToStart(work);
  const isShorter =
    claim !== null &&
    prefilled !== null &&
    !work.checkedInAt &&
    Date.parse(claim.endsAt) < Date.parse(prefilled.endsAt);
  const start = isShorter ? claim : (prefilled ?? claim);
  if (!start) return null;
  const { startsAt, endsAt, breakMinutes } = start;
  return {
    startsAt,
    endsAt,
    breakMinutes: hasBreak(work.attendance)
      ? Math.max(breakMinutes, claim?.breakMinutes ?? work.terms.breakMinutes)
      : (claim?.breakMinutes ?? work.terms.breakMinutes),
  };
}

export function typedHours(hours: EnteredHours, timeZone: string): TypedHours {
  const start = clockIn(hours.startsAt, timeZone);
  return {
    day: start.day,
    from: start.time,
    to: clockIn(hours.endsAt, timeZone).time,
    breakMinutes: String(hours.breakMinutes),
  };
}

/** The typed hours, or their problem. An end at or before the start falls on the next day. */
export function hoursFromTyped(
  typed: TypedHours,
  { startsAt: plannedStart, endsAt: plannedEnd, timeZone }: Pick<Terms, 'startsAt' | 'endsAt' | 'timeZone'>,
  now: Date,
): { hours: EnteredHours } | { problem: HoursFieldProblem } {
  const skipped = skippedTime(typed, timeZone);
  if (skipped) return { problem: `${skipped}-skipped` };
  // Equal times would make a whole day.
  if (typed.to === typed.from && typed.to !== '') return { problem: 'same' };
  const span = spanAt(typed, timeZone);
  if (!span) return { problem: 'time' };
  const { startsAt, endsAt } = span;
  const text = plainDigits(typed.breakMinutes).trim() || '0';
  if (!/^\d{1,4}$/.test(text)) return { problem: 'break' };
  const hours = { startsAt, endsAt, breakMinutes: Number(text) };
  const plan = { startsAt: new Date(plannedStart ?? startsAt), endsAt: new Date(plannedEnd ?? endsAt) };
  const problem = hoursProblem(asDates(hours), plan, now);
  if (problem === 'outside-plan')
    return {
      problem:
        plan.startsAt.getTime() - Date.parse(startsAt) > earliestHoursBeforePlan * hourMs
          ? 'too-early'
          : 'too-late',
    };
  return problem ? { problem: fieldOf[problem] } : { hours };
}

const fieldOf: Record<Exclude<HoursProblem, 'outside-plan'>, HoursFieldProblem> = {
  'end-before-start': 'time',
  'in-future': 'future',
  'break-too-long': 'break',
};

const asDates = ({ startsAt, endsAt, breakMinutes }: EnteredHours) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  breakMinutes,
});

export const payOfHours = (hours: EnteredHours, terms: Pick<Terms, 'payMinor' | 'breakPaid'>, minimum = 0) =>
  payOf(asDates(hours), terms, minimum);

/** Minutes that are paid at least, because the business ended the shift early; otherwise 0. */
export function minimumOf({
  terms,
  checkedInAt,
  attendance,
}: Pick<Engagement, 'terms' | 'checkedInAt' | 'attendance'>): number {
  if (!terms.startsAt || !terms.endsAt) return 0;
  const plan = { startsAt: new Date(terms.startsAt), endsAt: new Date(terms.endsAt) };
  const events = attendance.map(({ kind, at, flags }) => ({
    kind,
    at: new Date(at),
    sentHome: flags.includes('sent_home'),
  }));
  return minimumMinutes(
    { checkedInAt: checkedInAt === null ? null : new Date(checkedInAt), events },
    plan,
    terms,
  );
}

export const workerShare = (
  minor: number,
  { workerFeeBasisPoints }: Pick<Terms, 'workerFeeBasisPoints'>,
): number => minor - shareOfAmount(minor, workerFeeBasisPoints);
