import { minuteMs } from '@nearhand/contract/durations';
import type { AttendanceKind, HoursClaim } from '@nearhand/contract/engagements';
import { paidMinutes } from '@nearhand/contract/job-cost';
import { payForMinutes } from '@nearhand/contract/money';
import type { Terms } from '@nearhand/contract/terms';

/** Hours as somebody puts them; minutes of break are taken off unless the break is paid. */
export type Hours = { startsAt: Date; endsAt: Date; breakMinutes: number };
export type Plan = { startsAt: Date; endsAt: Date };
/** Hours around the plan within which work can have been done. */
const before = 2 * 60 * minuteMs;
const after = 12 * 60 * minuteMs;

export type HoursProblem = 'end-before-start' | 'outside-plan' | 'in-future' | 'break-too-long';

/** What is impossible about hours, or null. */
export function hoursProblem(hours: Hours, plan: Plan, now: Date): HoursProblem | null {
  if (hours.endsAt <= hours.startsAt) return 'end-before-start';
  if (
    hours.startsAt.getTime() < plan.startsAt.getTime() - before ||
    hours.endsAt.getTime() > plan.endsAt.getTime() + after
  )
    return 'outside-plan';
  if (hours.endsAt > now) return 'in-future';
  if (hours.breakMinutes * minuteMs >= hours.endsAt.getTime() - hours.startsAt.getTime())
    return 'break-too-long';
  return null;
}

/** Paid minutes of hours and the pay for them at the frozen rate, in minor units of the terms. */
export function payOf(hours: Hours, terms: Pick<Terms, 'payMinor' | 'breakPaid'>) {
  const minutes = paidMinutes(hours.startsAt, hours.endsAt, hours.breakMinutes, terms.breakPaid);
  return { paidMinutes: minutes, amountMinor: payForMinutes(terms.payMinor, minutes) };
}

export type AttendanceFact = { kind: AttendanceKind; at: Date };
export type Attended = {
  checkedInAt: Date | null;
  checkedOutAt: Date | null;
  events: AttendanceFact[];
  /** Whether breaks are paid by the terms: time away then cannot count as one. */
  breakPaid?: boolean;
};

/** Milliseconds inside a span between events of one kind and the next of another; what nobody ended runs to the end of the span. */
function msBetween(
  events: readonly AttendanceFact[],
  [begin, end]: readonly [AttendanceFact['kind'], AttendanceFact['kind']],
  from: Date,
  to: Date,
): number {
  let total = 0;
  let open: Date | null = null;
  const add = (start: Date, until: Date) => {
    total += Math.max(0, Math.min(until.getTime(), to.getTime()) - Math.max(start.getTime(), from.getTime()));
  };
  for (const { kind, at } of events) {
    if (kind === begin) open ??= at;
    else if (kind === end && open) {
      add(open, at);
      open = null;
    }
  }
  if (open) add(open, to);
  return total;
}

const breaks = ['break_start', 'break_end'] as const;
/** Left, and come back. */
const away = ['check_out', 'check_in'] as const;

/**
 * Hours of a span with what was recorded in it: breaks and, after a check-out, the time until the next check-in, which is a break that is not paid (ADR 0061).
 * Where breaks are paid the time away is taken off the end instead. Null where somebody was away all of it.
 */
export function hoursOfSpan({ events, breakPaid }: Attended, startsAt: Date, endsAt: Date): Hours | null {
  const [restedMs, awayMs] = [
    msBetween(events, breaks, startsAt, endsAt),
    msBetween(events, away, startsAt, endsAt),
  ];
  if (awayMs >= endsAt.getTime() - startsAt.getTime()) return null;
  if (!breakPaid) return { startsAt, endsAt, breakMinutes: Math.floor((restedMs + awayMs) / minuteMs) };
  return {
    startsAt,
    endsAt: new Date(endsAt.getTime() - awayMs),
    breakMinutes: Math.floor(restedMs / minuteMs),
  };
}

/** The recorded hours as they are; null where arrival or leaving is missing. */
export function recordedHours(attended: Attended): Hours | null {
  const { checkedInAt, checkedOutAt } = attended;
  if (!checkedInAt || !checkedOutAt || checkedOutAt <= checkedInAt) return null;
  return hoursOfSpan(attended, checkedInAt, checkedOutAt);
}

/**
 * The hours that the record bears out inside the plan: from the planned start at the earliest to the planned end at the latest, since coming early is
 * not yet work and overtime is for the worker to claim (ADR 0043). Null where nothing of the plan was attended. Who never checked out counts as
 * there to the planned end when `presumeEnd` says so (ADR 0044).
 */
export function hoursWithinPlan(attended: Attended, plan: Plan, presumeEnd = false): Hours | null {
  const { checkedInAt } = attended;
  const leftAt = attended.checkedOutAt ?? (presumeEnd ? plan.endsAt : null);
  if (!checkedInAt || !leftAt) return null;
  const startsAt = new Date(Math.max(checkedInAt.getTime(), plan.startsAt.getTime()));
  const endsAt = new Date(Math.min(leftAt.getTime(), plan.endsAt.getTime()));
  if (endsAt <= startsAt) return null;
  return hoursOfSpan(attended, startsAt, endsAt);
}

/** The hours that the timer puts in, and whether they are but planned. */
export function hoursByTimer(
  attended: Attended,
  plan: Plan & { breakMinutes: number },
): Hours & { planned: boolean } {
  const recorded = hoursWithinPlan(attended, plan) ?? recordedHours(attended);
  return recorded ? { ...recorded, planned: false } : { ...plan, planned: true };
}

/** What is remarkable about a claim of the worker or the timer beside the record. */
export function claimFlags(
  claimedMinutes: number,
  attended: Attended,
  terms: Pick<Terms, 'breakPaid'>,
  planned = false,
): HoursClaim['flags'] {
  const flags: HoursClaim['flags'] = [];
  if (!attended.checkedInAt) flags.push('no_check_in');
  if (!attended.checkedOutAt) flags.push('no_check_out');
  if (planned) flags.push('planned');
  const recorded = recordedHours(attended);
  if (
    recorded &&
    claimedMinutes > paidMinutes(recorded.startsAt, recorded.endsAt, recorded.breakMinutes, terms.breakPaid)
  )
    flags.push('beyond_record');
  return flags;
}

/** What of the undisputed part is still to be paid: the lower of claim and counter-proposal, less what was paid already; never twice. */
export const undisputedRest = (claimMinor: number, counterMinor: number, releasedMinor: number): number =>
  Math.max(0, Math.min(claimMinor, counterMinor) - releasedMinor);

/** `6 h 30 min` of 390 minutes, `6 h` of 360, `5 min` of 5. */
export function hoursText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (rest === 0) return `${hours} h`;
  return hours === 0 ? `${rest} min` : `${hours} h ${rest} min`;
}
