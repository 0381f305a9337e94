import { dayMs } from '@nearhand/contract/durations';
import { isLiveWork } from '@nearhand/contract/engagement-statuses';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';
import type { Engagement } from '@nearhand/contract/work/engagements';

export type EngagementRelation = 'worker' | MemberRole | 'operator' | null;

/** The caller's relation to booked work; null for a stranger, who must not learn that it exists. */
export function relationToWork(
  row: { workerId: string; role: MemberRole | null } | undefined,
  actor: { accountId: string; operator?: boolean },
): EngagementRelation {
  if (!row) return null;
  if (row.workerId === actor.accountId) return 'worker';
  return row.role ?? (actor.operator ? 'operator' : null);
}

/** Operators never decide about their own work or business. */
export const mayDecide = (relation: EngagementRelation): boolean => relation === 'operator';

/**
 * Null for viewers and strangers. Finance acts for the business with `pay` only, coordinators with `work` only (ADR 408),
 * operators never do.
 */
export const actingSide = (
  relation: EngagementRelation,
  capability: 'work' | 'settle' | 'pay' = 'work',
): Side | null => {
  if (relation === 'worker') return 'worker';
  return relation !== 'operator' && roleMay(relation, capability) ? 'business' : null;
};

/** Operators see the business's view without contact details. */
export const engagementSide = (relation: EngagementRelation): Side | null => {
  if (relation === 'worker') return 'worker';
  return relation === null ? null : 'business';
};

/**
 * Returns whether each side may see the other's phone number: from the hire until a day after the work, and not after
 * a cancellation. The caller decides who belongs to a side.
 */
function maySeePhone(row: { status: string; workEndsAt: Date | null }, now: Date): boolean {
  if (row.workEndsAt === null) return isLiveWork(row.status);
  const over = now.getTime() > row.workEndsAt.getTime() + dayMs;
  return !over && (isLiveWork(row.status) || row.status === 'completed');
}

/** The name, phone number and notes of each side. */
type ContactRow = {
  status: string;
  workEndsAt: Date | null;
  workerName: string;
  workerPhone: string | null;
  askFor: string | null;
  businessName: string;
  businessPhone: string | null;
  notes: string | null;
};

/** Returns the other side's contact for `side`; null while `maySeePhone` forbids it. */
export function contactOf(row: ContactRow, side: Side, now: Date): Engagement['contact'] {
  if (!maySeePhone(row, now)) return null;
  return side === 'business'
    ? { name: row.workerName, phone: row.workerPhone, notes: null }
    : { name: row.askFor ?? row.businessName, phone: row.businessPhone, notes: row.notes };
}
