import type { MemberRole } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';

/** Someone's relation to the two sides of ended work. */
export type ReviewRelation = { isWorker: boolean; role: MemberRole | null };

/** The side that someone writes and reads reviews for: the worker, or those of the business who deal with its work. */
export function reviewSide({ isWorker, role }: ReviewRelation): Side | null {
  if (isWorker) return 'worker';
  return role !== null && roleMay(role, 'work') ? 'business' : null;
}

/** Whether someone may know of the work at all. */
export const mayKnowWork = ({ isWorker, role }: ReviewRelation): boolean => isWorker || role !== null;

/** Operators never decide about reviews of their own work or business. */
export const mayDecideReview = (of: { isWorker: boolean; isMember: boolean }): boolean =>
  !of.isWorker && !of.isMember;
