import type { Pool } from '@nearhand/contract/hiring/pools';
import { poolLimits } from '@nearhand/contract/hiring/pools.rules';
import { requireWholeRecruiter } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { usesPools } from './pools.policy.ts';
import {
  countPoolWorkers,
  deletePoolRow,
  deletePoolWorker,
  findKnown,
  findPool,
  findPools,
  findSavedTags,
  insertPool,
  insertPoolWorkers,
  isNameTaken,
  lockPool,
  type PoolRow,
  updatePoolName,
} from './pools.sql.ts';

const maxTags = 50;

const asPool = ({ id, name }: PoolRow, workers: number): Pool => ({ id, name, workers });

/** Requires the caller to be a recruiter of the pool's business. @throws pool/not-found for a stranger, pool/not-allowed for finance */
export async function requirePool(db: Db, scope: Scope, poolId: string): Promise<PoolRow> {
  const row = await findPool(db, poolId, scope.actor.accountId);
  if (!row || row.role === null) throw new AppError('pool/not-found');
  if (!usesPools(row.role, row.limited)) throw new AppError('pool/not-allowed');
  return row;
}

/** Requires the business to know all of these workers. @throws profile/not-found */
export async function requireKnown(db: Db, businessId: string, workerIds: readonly string[]): Promise<void> {
  const known = new Set(await findKnown(db, businessId, workerIds));
  if (workerIds.some((workerId) => !known.has(workerId))) throw new AppError('profile/not-found');
}

/** Pools of a business by name, and the tags in use, most used first, at most 50; recruiters only. @throws business/not-found, business/not-allowed */
export async function listPools(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ pools: Pool[]; tags: { tag: string; count: number }[] }> {
  await requireWholeRecruiter(db, scope.actor, businessId);
  const rows = await findPools(db, businessId);
  return {
    pools: rows.map((row) => asPool(row, row.workers)),
    tags: await findSavedTags(db, businessId, maxTags),
  };
}

/**
 * Creates a pool, with its first workers if given; recruiters only.
 * @throws business/not-found, business/not-allowed, profile/not-found for a worker whom the business does not know, pool/name-taken,
 * pool/too-many (data: most)
 */
export async function createPool(
  tx: Tx,
  scope: Scope,
  { businessId, name, workerIds }: { businessId: string; name: string; workerIds: string[] },
): Promise<Pool> {
  const { accountId } = scope.actor;
  await requireWholeRecruiter(tx, scope.actor, businessId);
  await requireKnown(tx, businessId, workerIds);
  const at = scope.clock.now();
  const id = newId(at);
  const result = await insertPool(tx, { id, businessId, name, by: accountId, at }, poolLimits.pools);
  if (result === 'taken') throw new AppError('pool/name-taken');
  if (result === 'too-many') throw new AppError('pool/too-many', { most: poolLimits.pools });
  const row = { id, business_id: businessId, name };
  return asPool(row, workerIds.length > 0 ? await insertPoolWorkers(tx, row, workerIds, at) : 0);
}

/** Renames a pool; recruiters only. @throws pool/not-found, pool/not-allowed, pool/name-taken */
export async function renamePool(
  tx: Tx,
  scope: Scope,
  { poolId, name }: { poolId: string; name: string },
): Promise<Pool> {
  const row = await requirePool(tx, scope, poolId);
  if (await isNameTaken(tx, row.business_id, name, poolId)) throw new AppError('pool/name-taken');
  await updatePoolName(tx, row, name);
  return asPool({ ...row, name }, await countPoolWorkers(tx, poolId));
}

/** Deletes a pool; its workers stay in other pools, and their tags and notes are kept. @throws pool/not-found, pool/not-allowed */
export async function deletePool(
  tx: Tx,
  scope: Scope,
  { poolId }: { poolId: string },
): Promise<{ deleted: true }> {
  await deletePoolRow(tx, await requirePool(tx, scope, poolId));
  return { deleted: true };
}

/**
 * Adds up to 100 workers whom the business knows to a pool, all or none; recruiters only. A repeat is a no-op.
 * @throws pool/not-found, pool/not-allowed, profile/not-found, pool/full (data: most)
 */
export async function addToPool(
  tx: Tx,
  scope: Scope,
  { poolId, workerIds }: { poolId: string; workerIds: string[] },
): Promise<Pool> {
  const row = await requirePool(tx, scope, poolId);
  await requireKnown(tx, row.business_id, workerIds);
  if (!(await lockPool(tx, poolId))) throw new AppError('pool/not-found');
  const workers = await insertPoolWorkers(tx, row, workerIds, scope.clock.now());
  if (workers > poolLimits.workers) throw new AppError('pool/full', { most: poolLimits.workers });
  return asPool(row, workers);
}

/** Removes a worker from a pool; recruiters only. A repeat is a no-op. @throws pool/not-found, pool/not-allowed */
export async function removeFromPool(
  tx: Tx,
  scope: Scope,
  { poolId, workerId }: { poolId: string; workerId: string },
): Promise<Pool> {
  const row = await requirePool(tx, scope, poolId);
  await deletePoolWorker(tx, row, workerId);
  return asPool(row, await countPoolWorkers(tx, poolId));
}
