import type { MemberRole } from '@nearhand/contract/member-roles';
import {
  type Branch,
  type BranchAction,
  type BranchInput,
  branchActions,
  branches,
} from '@nearhand/contract/people/branches';
import { branchLimits } from '@nearhand/contract/people/branches.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import type { Branches } from '../../platform/tables.gen.ts';
import { branchLimitOf, type LockedTeam, lockTeam, requireMay } from '../businesses/businesses.ts';
import { countryOf } from '../businesses/hiring.ts';
import { findRole } from '../businesses/members.sql.ts';
import { peopleHooks } from '../hooks.ts';
import { zoneAt } from '../places/time-zones.ts';

export type BranchRow = Selectable<Branches>;

/** A branch with its open jobs; `used` if a job, member or invitation ever named it. */
type CountedBranch = BranchRow & { openJobs: number; used: boolean };

const withCounts = (db: Db) =>
  db
    .selectFrom('branches as branch')
    .selectAll('branch')
    .select([
      sql<number>`(select count(*) from jobs where branch_id = branch.id and status = 'open')`.as('openJobs'),
      sql<boolean>`exists (select from jobs where branch_id = branch.id)
        or exists (select from business_members where business_id = branch.business_id and branch.id = any(branch_ids))
        or exists (select from team_invitations where business_id = branch.business_id and branch.id = any(branch_ids))`.as(
        'used',
      ),
    ]);

const findBranches = (db: Db, businessId: string): Promise<CountedBranch[]> =>
  withCounts(db)
    .where('branch.businessId', '=', businessId)
    .orderBy(sql`branch.closed_at is not null`)
    .orderBy(sql`lower(branch.name)`)
    .orderBy('branch.id')
    .execute();

const findBranch = (db: Db, branchId: string): Promise<CountedBranch | undefined> =>
  withCounts(db).where('branch.id', '=', branchId).executeTakeFirst();

/** Returns the names of a business's branches by id, closed ones included. */
export async function findBranchNames(db: Db, businessId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('branches')
    .select(['id', 'name'])
    .where('businessId', '=', businessId)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Reads a branch and prevents closing or deleting it until the transaction ends. */
export const holdBranch = (tx: Tx, branchId: string): Promise<BranchRow | undefined> =>
  tx.selectFrom('branches').selectAll().where('id', '=', branchId).forShare().executeTakeFirst();

async function isNameTaken(
  db: Db,
  businessId: string,
  name: string,
  except: string | null,
): Promise<boolean> {
  const row = await db
    .selectFrom('branches')
    .select('id')
    .where('businessId', '=', businessId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('closedAt', 'is', null)
    .where((eb) => (except === null ? eb.lit(true) : eb('id', '<>', except)))
    .executeTakeFirst();
  return row !== undefined;
}

async function countBranches(db: Db, businessId: string): Promise<number> {
  const { count } = await db
    .selectFrom('branches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('businessId', '=', businessId)
    .executeTakeFirstOrThrow();
  return count;
}

async function insertBranch(tx: Tx, row: Insertable<Branches>): Promise<void> {
  await tx.insertInto('branches').values(row).execute();
  emitOfBusiness(tx, 'business', row);
}

/** Updates a branch. The caller holds the lock of the business. */
async function updateBranchRow(
  tx: Tx,
  branch: { id: string; businessId: string; version: number },
  changes: Updateable<Branches>,
): Promise<void> {
  await tx
    .updateTable('branches')
    .set({ ...changes, version: branch.version + 1 })
    .where('id', '=', branch.id)
    .execute();
  emitOfBusiness(tx, 'business', branch);
}

/** Removes a deleted account's name from the contacts of its businesses' branches. */
export async function eraseContacts(tx: Tx, { accountId, words }: FormerMember): Promise<void> {
  const nameWords = [...words];
  const rows = await tx
    .updateTable('branches')
    .set((eb) => ({
      contactName: withoutWords('contactName', { words }),
      contactPhone: eb
        .case()
        .when(eb('contactPhone', '=', eb.fn.any(eb.val(nameWords))))
        .then(null)
        .else(eb.ref('contactPhone'))
        .end(),
      openingNotes: withoutWords('openingNotes', { words }),
    }))
    .where(
      sql<boolean>`business_id in (select business_id from business_members where account_id = ${accountId}
        union select business_id from team_moves where account_id = ${accountId})`,
    )
    .where(
      sql<boolean>`(contact_phone = any(${nameWords})
        or contact_name || ' ' || opening_notes <> without_words(contact_name || ' ' || opening_notes,
        ${nameWords}))`,
    )
    .returning('businessId')
    .execute();
  for (const row of rows) emitOfBusiness(tx, 'business', row);
}

async function deleteBranchRow(tx: Tx, branch: { id: string; businessId: string }): Promise<void> {
  await tx.deleteFrom('branches').where('id', '=', branch.id).execute();
  emitOfBusiness(tx, 'business', branch);
}

/** Lists a business's branches. For members. */
async function listBranches(
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
 * Adds a branch in the time zone of its pin unless one is chosen. The business's jobs at its address join it. Managers
 * and owners only.
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
    throw new AppError('branch/too-many', { limit: branchLimits.branches });
  const now = scope.clock.now();
  const id = newId(now);
  await insertBranch(tx, {
    id,
    businessId,
    name: input.name,
    address: input.address,
    area: input.area,
    lat: input.lat,
    lng: input.lng,
    privateAddress: input.privateAddress,
    timeZone: input.timeZone ?? zoneAt(input, await countryOf(tx, businessId)),
    contactName: input.contactName,
    contactPhone: input.contactPhone,
    openingNotes: input.openingNotes,
    giveaways: input.giveaways,
    createdAt: now,
    updatedAt: now,
  });
  const { address, lat, lng } = input;
  await peopleHooks.on.branchAdded(tx, scope, { id, businessId, address, lat, lng });
  return reload(tx, id, role);
}

/** Edits a branch. Managers and owners only. Jobs of the branch keep the address that workers know. */
async function updateBranch(
  tx: Tx,
  scope: Scope,
  { branchId, version, ...input }: Partial<BranchInput> & { branchId: string; version: number },
): Promise<Branch> {
  const { row, role } = await lockBranch(tx, scope, branchId);
  if (row.version !== version) throw new AppError('branch/stale', { version: row.version });
  if (input.name !== undefined && row.closedAt === null)
    await requireFreeName(tx, row.businessId, input.name, branchId);
  const pin = { lat: input.lat ?? row.lat, lng: input.lng ?? row.lng };
  const hasMoved = pin.lat !== row.lat || pin.lng !== row.lng;
  await updateBranchRow(tx, row, {
    name: input.name,
    address: input.address,
    area: input.area,
    lat: input.lat,
    lng: input.lng,
    privateAddress: input.privateAddress,
    timeZone: input.timeZone ?? (hasMoved ? zoneAt(pin, await countryOf(tx, row.businessId)) : undefined),
    contactName: input.contactName,
    contactPhone: input.contactPhone,
    openingNotes: input.openingNotes,
    giveaways: input.giveaways,
    updatedAt: scope.clock.now(),
  });
  return reload(tx, branchId, role);
}

/** Closes a branch. Managers and owners only. */
async function closeBranch(tx: Tx, scope: Scope, { branchId }: { branchId: string }): Promise<Branch> {
  const { row, role } = await lockBranch(tx, scope, branchId);
  const now = scope.clock.now();
  if (row.closedAt === null) await updateBranchRow(tx, row, { closedAt: now, updatedAt: now });
  return reload(tx, branchId, role);
}

/** Reopens a branch. Managers and owners only. */
async function reopenBranch(tx: Tx, scope: Scope, { branchId }: { branchId: string }): Promise<Branch> {
  const { row, role } = await lockBranch(tx, scope, branchId);
  if (row.closedAt !== null) {
    await requireFreeName(tx, row.businessId, row.name, branchId);
    await updateBranchRow(tx, row, { closedAt: null, updatedAt: scope.clock.now() });
  }
  return reload(tx, branchId, role);
}

/** Deletes a branch that nothing ever referred to. Managers and owners only. */
async function deleteBranch(
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
 * Locks the business, then reads the branch.
 * @throws branch/not-found for a non-member
 */
export async function lockBranch(
  tx: Tx,
  scope: Scope,
  branchId: string,
): Promise<{ row: CountedBranch; role: MemberRole }> {
  const branch = await findBranch(tx, branchId);
  const before = branch && (await findRole(tx, branch.businessId, scope.actor.accountId));
  if (!branch || !before) throw new AppError('branch/not-found');
  const limit = await branchLimitOf(tx, branch.businessId, scope.actor.accountId);
  if (limit !== null && !limit.includes(branchId)) throw new AppError('branch/not-found');
  if (!canManageBranches(before)) throw new AppError('business/not-allowed');
  const role = roleAfterLock(scope, await lockTeam(tx, branch.businessId));
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
  ...row,
  closed: row.closedAt !== null,
  actions: branchActionsFor(role, { closed: row.closedAt !== null, used: row.used }),
});

const canManageBranches = (role: MemberRole | null): boolean => roleMay(role, 'details');

function branchActionsFor(role: MemberRole, branch: { closed: boolean; used: boolean }): BranchAction[] {
  const possible: Record<BranchAction, boolean> = {
    edit: true,
    close: !branch.closed,
    reopen: branch.closed,
    delete: !branch.used,
  };
  return canManageBranches(role) ? branchActions.filter((action) => possible[action]) : [];
}

export const branchesRoutes = {
  list: read(branches.list, listBranches),
  create: write(branches.create, createBranch),
  update: write(branches.update, updateBranch),
  close: write(branches.close, closeBranch),
  reopen: write(branches.reopen, reopenBranch),
  delete: write(branches.delete, deleteBranch),
};
