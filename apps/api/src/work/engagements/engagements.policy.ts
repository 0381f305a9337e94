import type { MemberRole } from '@nearhand/contract/operation';
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
  relation === 'worker'
    ? 'worker'
    : relation === null || relation === 'finance' || relation === 'operator'
      ? null
      : 'business';

/** The side whose view someone gets; operators see the business's view without contact details. */
export const lookingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation === null ? null : 'business';
