import type { HoursClaim } from '@nearhand/contract/engagements';
import { paidMinutes } from '@nearhand/contract/job-cost';
import { payForMinutes } from '@nearhand/contract/money';
import type { Terms } from '@nearhand/contract/terms';

/** Hours as somebody puts them; minutes of break are taken off unless the break is paid. */
export type Hours = { startsAt: Date; endsAt: Date; breakMinutes: number };
export type Plan = { startsAt: Date; endsAt: Date };

const minuteMs = 60_000;
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

export type AttendanceFact = {
  kind: 'check_in' | 'break_start' | 'break_end' | 'check_out' | string;
  at: Date;
};
export type Attended = { checkedInAt: Date | null; checkedOutAt: Date | null; events: AttendanceFact[] };

/** Minutes of recorded breaks inside a span, whole ones; a break nobody ended runs to the end of the span. */
export function breakMinutesWithin(events: readonly AttendanceFact[], from: Date, to: Date): number {
  let total = 0;
  let open: Date | null = null;
  const add = (start: Date, end: Date) => {
    total += Math.max(0, Math.min(end.getTime(), to.getTime()) - Math.max(start.getTime(), from.getTime()));
  };
  for (const { kind, at } of events) {
    if (kind === 'break_start') open ??= at;
    else if (kind === 'break_end' && open) {
      add(open, at);
      open = null;
    }
  }
  if (open) add(open, to);
  return Math.floor(total / minuteMs);
}

/** The recorded hours as they are; null where arrival or leaving is missing. */
export function recordedHours({ checkedInAt, checkedOutAt, events }: Attended): Hours | null {
  if (!checkedInAt || !checkedOutAt || checkedOutAt <= checkedInAt) return null;
  return {
    startsAt: checkedInAt,
    endsAt: checkedOutAt,
    breakMinutes: breakMinutesWithin(events, checkedInAt, checkedOutAt),
  };
}

/**
 * The hours that the record bears out inside the plan: from the planned start at the earliest to the planned end at the latest, since coming early is
 * not yet work and overtime is for the worker to claim (ADR 0043). Null where nothing of the plan was attended. Who never checked out counts as
 * there to the planned end when `presumeEnd` says so (ADR 0044).
 */
export function hoursWithinPlan(attended: Attended, plan: Plan, presumeEnd = false): Hours | null {
  const { checkedInAt, events } = attended;
  const leftAt = attended.checkedOutAt ?? (presumeEnd ? plan.endsAt : null);
  if (!checkedInAt || !leftAt) return null;
  const startsAt = new Date(Math.max(checkedInAt.getTime(), plan.startsAt.getTime()));
  const endsAt = new Date(Math.min(leftAt.getTime(), plan.endsAt.getTime()));
  if (endsAt <= startsAt) return null;
  return { startsAt, endsAt, breakMinutes: breakMinutesWithin(events, startsAt, endsAt) };
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

/** `6 h 30` of 390 minutes. */
export const hoursText = (minutes: number): string =>
  minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
