import type { MemberRole } from '@nearhand/contract/operation';
import type { Side } from '@nearhand/contract/terms';

/** How the caller stands to an engagement: its worker, a member of its business by role, or nobody who may know of it. */
export type EngagementRelation = 'worker' | MemberRole | null;

/** The side on which somebody acts; null for finance, who only looks, and for strangers. */
export const actingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation === null || relation === 'finance' ? null : 'business';

/** The side from which somebody may look at all. */
export const lookingSide = (relation: EngagementRelation): Side | null =>
  relation === 'worker' ? 'worker' : relation === null ? null : 'business';
