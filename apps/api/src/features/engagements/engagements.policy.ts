import type { MemberRole } from '@nearhand/contract/operation';
import type { Side } from '@nearhand/contract/terms';

/** How the caller stands to an engagement: its worker, a member of its business by role, an operator on neither side, or nobody who may know of it. */
export type EngagementRelation = 'worker' | MemberRole | 'operator' | null;

export function relationTo(
  row: { worker_id: string; role: MemberRole | null } | undefined,
  actor: { accountId: string; operator?: boolean },
): EngagementRelation {
  if (!row) return null;
  if (row.worker_id === actor.accountId) return 'worker';
  return row.role ?? (actor.operator ? 'operator' : null);
}

/** Nobody decides about their own work or their own business. */
export const mayDecide = (relation: EngagementRelation): boolean => relation === 'operator';

/** The side on which somebody acts; null for finance and operators, who only look, and for strangers. */
export const actingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker'
    ? 'worker'
    : relation === null || relation === 'finance' || relation === 'operator'
      ? null
      : 'business';

/** The side from which somebody may look at all; an operator is shown what the business is, less whom to call. */
export const lookingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation === null ? null : 'business';
