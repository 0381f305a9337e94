import type { MemberRole } from '@nearhand/contract/member-roles';
import { canBeLimited } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { findBranchNames } from './branches.ts';

/**
 * Branches to limit a role to; null for all. The caller holds the business lock.
 * @throws branch/not-found
 */
export async function branchLimit(
  tx: Tx,
  businessId: string,
  role: MemberRole,
  branchIds: BranchLimit,
): Promise<string[] | null> {
  if (branchIds === null || !canBeLimited(role)) return null;
  const uniqueIds = [...new Set(branchIds)];
  const branchNames = await findBranchNames(tx, businessId);
  if (uniqueIds.some((id) => !branchNames.has(id))) throw new AppError('branch/not-found');
  return uniqueIds;
}

/** Returns a function that names the branches to which a member is limited; null for a member of all. */
export async function limitNames(
  db: Db,
  businessId: string,
): Promise<(limit: BranchLimit) => { id: string; name: string }[] | null> {
  const branchNames = await findBranchNames(db, businessId);
  return (limit) =>
    limit?.flatMap((id) => {
      const name = branchNames.get(id);
      return name === undefined ? [] : [{ id, name }];
    }) ?? null;
}
