import type { MemberRole } from '@nearhand/contract/operation';
import type { Branch, BranchInput } from '@nearhand/contract/people/branches';
import { branchLimits } from '@nearhand/contract/people/branches.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  branchLimitOf,
  type LockedTeam,
  lockTeam,
  requireMay,
  roleIn,
} from '../businesses/members.service.ts';
import { branchActionsFor, canManageBranches } from './branches.policy.ts';
import {
  type CountedBranch,
  countBranches,
  deleteBranchRow,
  findBranch,
  findBranches,
  insertBranch,
  isNameTaken,
  updateBranchRow,
} from './branches.sql.ts';

/** The branches of a business that the caller sees, open ones first, for all its members. @throws business/not-found */
export async function listBranches(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ branches: Branch[]; canCreate: boolean }> {
  const role = await requireMay(db, businessId, scope.actor.accountId, 'view');
  const limit = await branchLimitOf(db, businessId, scope.actor.accountId);
  const rows = (await findBranches(db, businessId)).filter(({ id }) => limit === null || limit.includes(id));
  return { branches: rows.map((row) => toBranch(row, role)), canCreate: canManageBranches(role) };
}

/**
 * Adds a branch; managers and owners only. Times follow from the pin, as for every job.
 * @throws business/not-found, business/not-allowed, business/wrong-state, branch/name-taken, branch/too-many (data: most)
 */
export async function createBranch(
  tx: Tx,
  scope: Scope,
  { businessId, ...input }: BranchInput & { businessId: string },
): Promise<Branch> {
  await requireMay(tx, businessId, scope.actor.accountId, 'details');
  const role = roleAfterLock(scope, await lockTeam(tx, businessId));
  await requireFreeName(tx, businessId, input.name, null);
  if ((await countBranches(tx, businessId)) >= branchLimits.branches)
    throw new AppError('branch/too-many', { most: branchLimits.branches });
  const now = scope.clock.now();
  const id = newId(now);
  await insertBranch(tx, {
    id,
    business_id: businessId,
    name: input.name,
    address: input.address,
    area: input.area,
    lat: input.lat,
    lng: input.lng,
    private_address: input.privateAddress,
    contact_name: input.contactName,
    contact_phone: input.contactPhone,
    opening_notes: input.openingNotes,
    created_at: now,
    updated_at: now,
  });
  return reload(tx, id, role);
}

/**
 * Edits a branch; managers and owners only. Absent fields stay, and its jobs keep their address, as their workers know it.
 * @throws branch/not-found, business/not-allowed, business/wrong-state, branch/stale (data: version), branch/name-taken
 */
export async function updateBranch(
  tx: Tx,
  scope: Scope,
  { branchId, version, ...input }: Partial<BranchInput> & { branchId: string; version: number },
): Promise<Branch> {
  const { row, role } = await lockBranch(tx, scope, branchId);
  if (row.version !== version) throw new AppError('branch/stale', { version: row.version });
  if (input.name !== undefined && row.closed_at === null)
    await requireFreeName(tx, row.business_id, input.name, branchId);
  await updateBranchRow(tx, row, {
    name: input.name,
    address: input.address,
    area: input.area,
    lat: input.lat,
    lng: input.lng,
    private_address: input.privateAddress,
    contact_name: input.contactName,
    contact_phone: input.contactPhone,
    opening_notes: input.openingNotes,
    updated_at: scope.clock.now(),
  });
  return reload(tx, branchId, role);
}

/** Closes a branch; managers and owners only. A repeat is a no-op. @throws branch/not-found, business/not-allowed, business/wrong-state */
export async function closeBranch(tx: Tx, scope: Scope, { branchId }: { branchId: string }): Promise<Branch> {
  const { row, role } = await lockBranch(tx, scope, branchId);
  const now = scope.clock.now();
  if (row.closed_at === null) await updateBranchRow(tx, row, { closed_at: now, updated_at: now });
  return reload(tx, branchId, role);
}

/**
 * Opens a closed branch again; managers and owners only. A repeat is a no-op.
 * @throws branch/not-found, business/not-allowed, business/wrong-state, branch/name-taken
 */
export async function reopenBranch(
  tx: Tx,
  scope: Scope,
  { branchId }: { branchId: string },
): Promise<Branch> {
  const { row, role } = await lockBranch(tx, scope, branchId);
  if (row.closed_at !== null) {
    await requireFreeName(tx, row.business_id, row.name, branchId);
    await updateBranchRow(tx, row, { closed_at: null, updated_at: scope.clock.now() });
  }
  return reload(tx, branchId, role);
}

/**
 * Deletes a branch that nothing ever named; managers and owners only.
 * @throws branch/not-found, business/not-allowed, business/wrong-state, branch/in-use
 */
export async function deleteBranch(
  tx: Tx,
  scope: Scope,
  { branchId }: { branchId: string },
): Promise<{ deleted: true }> {
  const { row } = await lockBranch(tx, scope, branchId);
  if (row.used) throw new AppError('branch/in-use');
  await deleteBranchRow(tx, row);
  return { deleted: true };
}

/**
 * Locks the business of a branch for someone who manages it, and reads the branch after that.
 * @throws branch/not-found for a non-member, business/not-allowed, business/wrong-state
 */
async function lockBranch(
  tx: Tx,
  scope: Scope,
  branchId: string,
): Promise<{ row: CountedBranch; role: MemberRole }> {
  const found = await findBranch(tx, branchId);
  const before = found && (await roleIn(tx, found.business_id, scope.actor.accountId));
  if (!found || !before) throw new AppError('branch/not-found');
  const limit = await branchLimitOf(tx, found.business_id, scope.actor.accountId);
  if (limit !== null && !limit.includes(branchId)) throw new AppError('branch/not-found');
  if (!canManageBranches(before)) throw new AppError('business/not-allowed');
  const role = roleAfterLock(scope, await lockTeam(tx, found.business_id));
  const row = await findBranch(tx, branchId);
  if (!row) throw new AppError('branch/not-found');
  return { row, role };
}

function roleAfterLock(scope: Scope, locked: LockedTeam): MemberRole {
  const role = locked.roles.get(scope.actor.accountId) ?? null;
  if (role === null || !canManageBranches(role)) throw new AppError('business/not-allowed');
  if (locked.status === 'closed') throw new AppError('business/wrong-state', { status: locked.status });
  return role;
}

async function requireFreeName(tx: Tx, businessId: string, name: string, except: string | null) {
  if (await isNameTaken(tx, businessId, name, except)) throw new AppError('branch/name-taken');
}

async function reload(tx: Tx, branchId: string, role: MemberRole): Promise<Branch> {
  const row = await findBranch(tx, branchId);
  if (!row) throw new AppError('branch/not-found');
  return toBranch(row, role);
}

const toBranch = (row: CountedBranch, role: MemberRole): Branch => ({
  id: row.id,
  version: row.version,
  name: row.name,
  address: row.address,
  area: row.area,
  lat: row.lat,
  lng: row.lng,
  privateAddress: row.private_address,
  contactName: row.contact_name,
  contactPhone: row.contact_phone,
  openingNotes: row.opening_notes,
  closed: row.closed_at !== null,
  openJobs: row.open_jobs,
  actions: branchActionsFor(role, { closed: row.closed_at !== null, used: row.used }),
});

/** For an account that is removed (ADR 160). */
export { forgetContacts } from './branches.sql.ts';
