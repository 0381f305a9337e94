import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { type BranchRow, holdBranch } from './branches.ts';

/**
 * Holds a branch open for a job.
 * @throws branch/not-found (including another business's), branch/closed
 */
export async function branchForJob(tx: Tx, businessId: string, branchId: string): Promise<BranchRow> {
  const row = await holdBranch(tx, branchId);
  if (row?.businessId !== businessId) throw new AppError('branch/not-found');
  if (row.closedAt !== null) throw new AppError('branch/closed');
  return row;
}

/**
 * Prevents members from moving a job out of their own branches.
 * @throws branch/required, branch/not-found
 */
export function assertOwnBranch(limit: BranchLimit, branchId: string | null): void {
  if (limit === null) return;
  if (branchId === null) throw new AppError('branch/required');
  if (!limit.includes(branchId)) throw new AppError('branch/not-found');
}

export const placeOfBranch = (row: BranchRow) => ({
  address: row.address,
  area: row.area,
  lat: row.lat,
  lng: row.lng,
  privateAddress: row.privateAddress,
  timeZone: row.timeZone,
});
