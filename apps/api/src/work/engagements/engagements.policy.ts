import { dayMs } from '@nearhand/contract/durations';
import { liveEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';

/** The caller's relation to an engagement: its worker, a member's role, an operator on neither side, or none. */
export type EngagementRelation = 'worker' | MemberRole | 'operator' | null;

export function relationTo(
  row: { worker_id: string; role: MemberRole | null } | undefined,
  actor: { accountId: string; operator?: boolean },
): EngagementRelation {
  if (!row) return null;
  if (row.worker_id === actor.accountId) return 'worker';
  return row.role ?? (actor.operator ? 'operator' : null);
}

/** Operators never decide about their own work or business. */
export const mayDecide = (relation: EngagementRelation): boolean => relation === 'operator';

/** The side someone acts for; null for viewers (finance, operators) and strangers. */
export const actingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation !== 'operator' && roleMay(relation, 'work') ? 'business' : null;

/** The side whose view someone gets; operators see the business's view without contact details. */
export const lookingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation === null ? null : 'business';

/** Whether work is neither completed nor cancelled. */
export const isLiveWork = (status: string): boolean =>
  (liveEngagementStatuses as readonly string[]).includes(status);

/**
 * Whether the two sides see each other's name and phone number: from the hire until a day after the work, and not after a cancellation. Finance members and
 * operators act for no side and never see them (`actingSide`).
 */
export function maySeePhone(row: { status: string; work_ends_at: Date | null }, now: Date): boolean {
  if (row.work_ends_at === null) return isLiveWork(row.status);
  const over = now.getTime() > row.work_ends_at.getTime() + dayMs;
  return !over && (isLiveWork(row.status) || row.status === 'completed');
}
