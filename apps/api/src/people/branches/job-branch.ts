import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { type BranchRow, holdBranch } from './branches.ts';

/**
 * The branch that a job is posted at or moved to, which stays open until the transaction ends.
 * @throws branch/not-found also for that of another business, branch/closed
 */
export async function branchForJob(tx: Tx, businessId: string, branchId: string): Promise<BranchRow> {
  const row = await holdBranch(tx, branchId);
  if (row?.businessId !== businessId) throw new AppError('branch/not-found');
  if (row.closedAt !== null) throw new AppError('branch/closed');
  return row;
}

/**
 * Someone who is limited to branches keeps jobs in them, or they would lose the job by their own edit.
 * @throws branch/required without a branch, branch/not-found for another one
 */
export function assertOwnBranch(limit: BranchLimit, branchId: string | null): void {
  if (limit === null) return;
  if (branchId === null) throw new AppError('branch/required');
  if (!limit.includes(branchId)) throw new AppError('branch/not-found');
}

/** The place of a branch, as a job takes it over. */
export const placeOfBranch = (row: BranchRow) => ({
  address: row.address,
  area: row.area,
  lat: row.lat,
  lng: row.lng,
  privateAddress: row.privateAddress,
});
