import { payForMinutes } from '../arithmetic.ts';
import { hourMs, minuteMs, subtractMs } from '../durations.ts';
import type { AttendanceKind } from './engagements.ts';
import { workLimits } from './limits.ts';
import {
  overtimeToleranceMinutes,
  type SilentMinor,
  type SilentOutcome,
  silentMinor,
  silentOutcome,
} from './pay.rules.ts';
import type { Terms } from './terms.ts';

/** Worked hours; break minutes are deducted unless breaks are paid. */
export type Hours = { startsAt: Date; endsAt: Date; breakMinutes: number };
type Span = { startsAt: Date; endsAt: Date };
export type Plan = Hours & { breakPaid: boolean };
/**
 * `sentHome`: the business ended the shift early by this check-out. `doubtful`: it was sent later, by a clock that was
 * wrong, or from far away.
 */
export type AttendanceFact = { kind: AttendanceKind; at: Date; sentHome?: boolean; doubtful?: boolean };

/** Hours that a claim may extend beyond the agreed ones. */
export const earliestHoursBeforePlan = 2;
export const latestHoursAfterPlan = 12;

/** Returns whether the worker may submit hours in this round: once, with `hoursCorrectionsMax` corrections. */
export function mayClaimHours(claims: readonly { by: string; round: number }[]): boolean {
  const round = claims.filter(({ by }) => by === 'business').length + 1;
  const inRound = claims.filter((claim) => claim.by !== 'business' && claim.round === round);
  return inRound.length <= workLimits.hoursCorrectionsMax;
}

export type HoursProblem = 'end-before-start' | 'outside-plan' | 'in-future' | 'break-too-long';

/** The reason why hours can't be claimed; null if they can. */
export function hoursProblem(hours: Hours, plan: Span, now: Date): HoursProblem | null {
  const start = hours.startsAt.getTime();
  const end = hours.endsAt.getTime();
  if (end <= start) return 'end-before-start';
  if (
    start < plan.startsAt.getTime() - earliestHoursBeforePlan * hourMs ||
    end > plan.endsAt.getTime() + latestHoursAfterPlan * hourMs
  )
    return 'outside-plan';
  if (hours.endsAt > now) return 'in-future';
  return hours.breakMinutes * minuteMs >= end - start ? 'break-too-long' : null;
}

/** Paid minutes of a shift: its length less the break, unless the break is paid. Never below zero. */
export function paidMinutes(startsAt: Date, endsAt: Date, breakMinutes: number, breakPaid: boolean): number {
  const length = Math.round((endsAt.getTime() - startsAt.getTime()) / minuteMs);
  return Math.max(0, breakPaid ? length : length - breakMinutes);
}

/**
 * Paid minutes and the pay for them at the agreed rate, in minor units of the terms.
 * @param minimum the minutes that are paid at least (`minimumMinutes`)
 */
export function payOf(hours: Hours, terms: Pick<Terms, 'payMinor' | 'breakPaid'>, minimum = 0) {
  const worked = paidMinutes(hours.startsAt, hours.endsAt, hours.breakMinutes, terms.breakPaid);
  const minutes = Math.max(worked, minimum);
  return { paidMinutes: minutes, amountMinor: payForMinutes(terms.payMinor, minutes) };
}

/** Milliseconds between events of two kinds within a span; an open interval runs to the end of the span. */
function msBetween(
  events: readonly AttendanceFact[],
  [begin, end]: readonly [AttendanceKind, AttendanceKind],
  { startsAt, endsAt }: Span,
): number {
  let total = 0;
  let open: Date | null = null;
  const add = (start: Date, until: Date) => {
    total += Math.max(
      0,
      Math.min(until.getTime(), endsAt.getTime()) - Math.max(start.getTime(), startsAt.getTime()),
    );
  };
  for (const { kind, at } of events) {
    if (kind === begin) open ??= at;
    else if (kind === end && open) {
      add(open, at);
      open = null;
    }
  }
  if (open) add(open, endsAt);
  return total;
}

/** The unpaid break if none was recorded, in the middle of the planned hours; none if the person missed it. */
function plannedBreakMs(plan: Plan, span: Span): number {
  const middle = (plan.startsAt.getTime() + plan.endsAt.getTime()) / 2;
  const half = (plan.breakMinutes * minuteMs) / 2;
  return Math.max(
    0,
    Math.min(middle + half, span.endsAt.getTime()) - Math.max(middle - half, span.startsAt.getTime()),
  );
}

/** Hours recorded within a span. Time away is an unpaid break; without one, the planned break counts (ADR 43). */
export function hoursOfSpan(events: readonly AttendanceFact[], span: Span, plan: Plan): Hours | null {
  const restedMs = msBetween(events, ['break_start', 'break_end'], span);
  const awayMs = msBetween(events, ['check_out', 'check_in'], span);
  const { startsAt, endsAt } = span;
  if (awayMs >= endsAt.getTime() - startsAt.getTime()) return null;
  if (plan.breakPaid)
    return {
      startsAt,
      endsAt: subtractMs(endsAt, awayMs),
      breakMinutes: Math.floor(restedMs / minuteMs),
    };
  const breakMs = restedMs + awayMs || plannedBreakMs(plan, span);
  return { startsAt, endsAt, breakMinutes: Math.floor(breakMs / minuteMs) };
}

export type Attended = { checkedInAt: Date | null; checkedOutAt: Date | null; events: AttendanceFact[] };

/** The recorded hours; null if the check-in or check-out is missing. */
export function recordedHours(attended: Attended, plan: Plan): Hours | null {
  const { checkedInAt, checkedOutAt, events } = attended;
  if (!checkedInAt || !checkedOutAt || checkedOutAt <= checkedInAt) return null;
  return hoursOfSpan(events, { startsAt: checkedInAt, endsAt: checkedOutAt }, plan);
}

/**
 * Minimum minutes paid: the terms' minimum if the business sent home a worker who came on time, otherwise 0
 * (ADR 388).
 */
export function minimumMinutes(
  { checkedInAt, events }: Pick<Attended, 'checkedInAt' | 'events'>,
  plan: Span,
  terms: Pick<Terms, 'minimumMinutes'>,
): number {
  const wasSentHome = events.findLast(({ kind }) => kind === 'check_out')?.sentHome === true;
  const latest = plan.startsAt.getTime() + workLimits.lateArrivalMinutes * minuteMs;
  const isOnTime = checkedInAt !== null && checkedInAt.getTime() <= latest;
  return wasSentHome && isOnTime ? (terms.minimumMinutes ?? 0) : 0;
}

/**
 * Returns the recorded hours within the plan; the worker claims overtime (ADR 43). `presumeEnd` uses the planned end
 * (ADR 44).
 */
export function hoursWithinPlan(attended: Attended, plan: Plan, presumeEnd = false): Hours | null {
  const { checkedInAt, events } = attended;
  const leftAt = attended.checkedOutAt ?? (presumeEnd ? plan.endsAt : null);
  if (!checkedInAt || !leftAt) return null;
  const startsAt = new Date(Math.max(checkedInAt.getTime(), plan.startsAt.getTime()));
  const endsAt = new Date(Math.min(leftAt.getTime(), plan.endsAt.getTime()));
  if (endsAt <= startsAt) return null;
  return hoursOfSpan(events, { startsAt, endsAt }, plan);
}

/** Pay for the recorded hours within the plan, in minor units (ADR 44). Null for a task. */
export function recordedMinor(
  attended: Attended,
  plan: Plan | null,
  terms: Pick<Terms, 'payMinor' | 'breakPaid' | 'payTotalMinor' | 'minimumMinutes'>,
): number | null {
  if (!plan) return null;
  const hours = hoursWithinPlan(attended, plan, true);
  const minimum = minimumMinutes(attended, plan, terms);
  // Someone sent home before the planned start has no hours, but their minimum.
  const { amountMinor } = payOf(hours ?? { ...plan, endsAt: plan.startsAt }, terms, minimum);
  return Math.min(amountMinor, terms.payTotalMinor);
}

/** The outcome if nobody replies (ADR 43), for server and screens. `plan` is null for a task. */
export function silentOutcomeOf(facts: {
  attended: Attended & { contested: boolean };
  plan: Plan | null;
  terms: Pick<Terms, 'payMinor' | 'breakPaid' | 'payTotalMinor' | 'minimumMinutes'>;
  agreedMinor: number;
  claims: Parameters<typeof silentOutcome>[0]['claims'];
}): SilentOutcome {
  const { attended, plan, terms, agreedMinor, claims } = facts;
  const recorded = recordedMinor(attended, plan, terms);
  const complete = attended.checkedInAt && attended.checkedOutAt && !attended.contested;
  return silentOutcome({
    plannedMinor: terms.payTotalMinor,
    agreedMinor,
    claims,
    recordedMinor: complete ? recorded : null,
    attended: recorded !== null && recorded > 0,
    toleranceMinor: payForMinutes(terms.payMinor, overtimeToleranceMinutes),
  });
}

/** The most minutes by which the start, the end or the break of hours differs from the plan. */
export const minutesOffPlan = (hours: Hours, plan: Hours): number =>
  Math.max(
    Math.abs(hours.startsAt.getTime() - plan.startsAt.getTime()) / minuteMs,
    Math.abs(hours.endsAt.getTime() - plan.endsAt.getTime()) / minuteMs,
    Math.abs(hours.breakMinutes - plan.breakMinutes),
  );

type RuledClaim = {
  by: 'worker' | 'business' | 'timer';
  startsAt: string;
  endsAt: string;
  breakMinutes: number;
  amountMinor: number;
  flags: readonly string[];
};

/**
 * The pay that a business's rule approves for the last of all claims (ADR 43); null if a person has to decide. Only
 * hours that the worker sent, near the plan, for at most the planned pay, without counter-proposals and with nothing
 * flagged or contested about the hours and the attendance. Minor units.
 */
export function payByRule(facts: {
  claims: readonly RuledClaim[];
  attended: { events: readonly Pick<AttendanceFact, 'doubtful'>[]; contested: boolean };
  plan: Plan;
  terms: Pick<Terms, 'payTotalMinor'>;
  agreedMinor: number;
  minutes: number;
}): SilentMinor | null {
  const { claims, attended, plan, terms, agreedMinor, minutes } = facts;
  const claim = claims.at(-1);
  if (claim?.by !== 'worker' || claim.flags.length > 0 || claims.some(({ by }) => by === 'business'))
    return null;
  if (attended.contested || attended.events.some(({ doubtful }) => doubtful)) return null;
  const { breakMinutes, amountMinor } = claim;
  const hours = { startsAt: new Date(claim.startsAt), endsAt: new Date(claim.endsAt), breakMinutes };
  if (minutesOffPlan(hours, plan) > minutes) return null;
  const ruledMinor = silentMinor(amountMinor, { plannedMinor: terms.payTotalMinor, agreedMinor });
  return ruledMinor === amountMinor ? ruledMinor : null;
}
