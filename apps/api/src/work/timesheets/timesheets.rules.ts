import { minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { HoursClaim } from '@nearhand/contract/work/engagements';
import {
  type Attended,
  type Hours,
  hoursWithinPlan,
  type Plan,
  paidMinutes,
  recordedHours,
} from '@nearhand/contract/work/timesheets.rules';

const minutesOf = ({ startsAt, endsAt, breakMinutes }: Hours, { breakPaid }: Plan): number =>
  paidMinutes(startsAt, endsAt, breakMinutes, breakPaid);

/**
 * Hours as recorded within the plan, until its end without a check-out, and as planned without a
 * check-in. Hours entirely outside the plan are kept; paid minutes beyond the plan count as break.
 */
export function hoursByTimer(attended: Attended, plan: Plan): Hours & { planned: boolean } {
  const recorded = hoursWithinPlan(attended, plan, true) ?? recordedHours(attended, plan);
  if (!recorded) {
    const { startsAt, endsAt, breakMinutes } = plan;
    return { startsAt, endsAt, breakMinutes, planned: true };
  }
  // Without a check-out only the start may be recorded.
  const isPlanned = attended.checkedOutAt === null && recorded.startsAt <= plan.startsAt;
  const excess = Math.max(0, minutesOf(recorded, plan) - minutesOf(plan, plan));
  if (plan.breakPaid)
    return { ...recorded, endsAt: subtractMs(recorded.endsAt, excess * minuteMs), planned: isPlanned };
  return { ...recorded, breakMinutes: recorded.breakMinutes + excess, planned: isPlanned };
}

/**
 * Marks claimed hours for the business's review: no check-in or check-out, more than recorded, taken from
 * the plan, or below the minimum.
 */
export function claimFlags(
  claimedMinutes: number,
  attended: Attended,
  plan: Plan,
  { planned = false, minimum = 0 }: { planned?: boolean; minimum?: number } = {},
): HoursClaim['flags'] {
  const flags: HoursClaim['flags'] = [];
  if (!attended.checkedInAt) flags.push('no_check_in');
  if (!attended.checkedOutAt) flags.push('no_check_out');
  if (planned) flags.push('planned');
  const recorded = recordedHours(attended, plan);
  if (recorded && claimedMinutes > minutesOf(recorded, plan)) flags.push('beyond_record');
  if (claimedMinutes < minimum) flags.push('minimum');
  return flags;
}

/** The lower of claim and counter-proposal, less the paid part. */
export const undisputedRest = (claimMinor: number, counterMinor: number, releasedMinor: number): number =>
  Math.max(0, Math.min(claimMinor, counterMinor) - releasedMinor);
