import type { HoursClaim } from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import {
  type Attended,
  type Hours,
  hoursWithinPlan,
  type Plan,
  paidMinutes,
  recordedHours,
} from '@nearhand/contract/work/timesheets.rules';

/** The hours to submit automatically; `planned` if there is no record. */
export function hoursByTimer(
  attended: Attended,
  plan: Plan & { breakMinutes: number },
): Hours & { planned: boolean } {
  const recorded = hoursWithinPlan(attended, plan) ?? recordedHours(attended);
  return recorded ? { ...recorded, planned: false } : { ...plan, planned: true };
}

/** How a claim differs from the record. */
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

/** The undisputed pay still to release: the lower of claim and counter-proposal, less what is already paid. */
export const undisputedRest = (claimMinor: number, counterMinor: number, releasedMinor: number): number =>
  Math.max(0, Math.min(claimMinor, counterMinor) - releasedMinor);
