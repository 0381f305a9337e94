import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Pool } from '@nearhand/contract/hiring/pools';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { type RawBuilder, sql } from 'kysely';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { isNamed } from '../../people/accounts/accounts.columns.ts';
import { requireWholeRecruiter } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { timesWorked, wasWorked } from '../../work/engagements/engagements.sql.ts';

const maxTags = 50;

const toPool = ({ id, name }: PoolRow, workers: number): Pool => ({ id, name, workers });

/**
 * Requires a recruiter of the pool's business.
 * @throws pool/not-found, pool/not-allowed for finance
 */
export async function requirePool(db: Db, scope: Scope, poolId: string): Promise<PoolRow> {
  const row = await findPool(db, poolId, scope.actor.accountId);
  if (!row || row.role === null) throw new AppError('pool/not-found');
  if (!usesPools(row.role, row.limited)) throw new AppError('pool/not-allowed');
  return row;
}

/**
 * Requires the business to know all of these workers.
 * @throws profile/not-found
 */
export async function requireKnown(db: Db, businessId: string, workerIds: readonly string[]): Promise<void> {
  const knownIds = new Set(await findKnown(db, businessId, workerIds));
  if (workerIds.some((workerId) => !knownIds.has(workerId))) throw new AppError('profile/not-found');
}

/** Lists pools by name and up to 50 tags. For recruiters. */
export async function listPools(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ pools: Pool[]; tags: { tag: string; count: number }[] }> {
  await requireWholeRecruiter(db, scope.actor, businessId);
  const rows = await findPools(db, businessId);
  return {
    pools: rows.map((row) => toPool(row, row.workers)),
    tags: await findSavedTags(db, businessId, maxTags),
  };
}

/** Creates a pool. For recruiters. */
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
  const result = await insertPool(tx, { id, businessId, name, by: accountId, at }, hiringLimits.poolsMax);
  if (result === 'taken') throw new AppError('pool/name-taken');
  if (result === 'too-many') throw new AppError('pool/too-many', { limit: hiringLimits.poolsMax });
  const row = { id, businessId, name };
  return toPool(row, workerIds.length > 0 ? await insertPoolWorkers(tx, row, workerIds, at) : 0);
}

/** Renames a pool. For recruiters. */
export async function renamePool(
  tx: Tx,
  scope: Scope,
  { poolId, name }: { poolId: string; name: string },
): Promise<Pool> {
  const row = await requirePool(tx, scope, poolId);
  if (await isNameTaken(tx, row.businessId, name, poolId)) throw new AppError('pool/name-taken');
  await updatePoolName(tx, row, name);
  return toPool({ ...row, name }, await countPoolWorkers(tx, poolId));
}

/** Deletes a pool, but keeps tags and notes. For recruiters. */
export async function deletePool(
  tx: Tx,
  scope: Scope,
  { poolId }: { poolId: string },
): Promise<{ deleted: true }> {
  await deletePoolRow(tx, await requirePool(tx, scope, poolId));
  return { deleted: true };
}

/** Adds up to 100 workers, all or none. For recruiters. */
export async function addToPool(
  tx: Tx,
  scope: Scope,
  { poolId, workerIds }: { poolId: string; workerIds: string[] },
): Promise<Pool> {
  const row = await requirePool(tx, scope, poolId);
  await requireKnown(tx, row.businessId, workerIds);
  if (!(await lockPool(tx, poolId))) throw new AppError('pool/not-found');
  const workers = await insertPoolWorkers(tx, row, workerIds, scope.clock.now());
  if (workers > hiringLimits.poolWorkersMax)
    throw new AppError('pool/full', { limit: hiringLimits.poolWorkersMax });
  return toPool(row, workers);
}

/** Removes a worker from a pool. For recruiters. */
export async function removeFromPool(
  tx: Tx,
  scope: Scope,
  { poolId, workerId }: { poolId: string; workerId: string },
): Promise<Pool> {
  const row = await requirePool(tx, scope, poolId);
  await deletePoolWorker(tx, row, workerId);
  return toPool(row, await countPoolWorkers(tx, poolId));
}

const usesPools = (role: MemberRole, limited: boolean): boolean => !limited && roleMay(role, 'pools');

/** A known worker applied, isn't a member, has not blocked the business, and can sign in (ADR 166). */
export const isKnown = (businessId: RawBuilder<unknown>, workerId: RawBuilder<unknown>) => sql`(
  exists (select from applications application
    where application.business_id = ${businessId} and application.worker_id = ${workerId} and application.status <> 'withdrawn')
  and not exists (select from business_members colleague where colleague.business_id = ${businessId} and colleague.account_id = ${workerId})
  and not exists (select from chat_blocks block
    where block.worker_id = ${workerId} and block.business_id = ${businessId} and block.side = 'worker')
  and exists (select from accounts account where account.id = ${workerId} and account.disabled_at is null)
  and not ${isLeavingOrGone(workerId)})`;

const ownColumns = (table: string) =>
  [sql.ref(`${table}.business_id`), sql.ref(`${table}.worker_id`)] as const;

async function findKnown(db: Db, businessId: string, workerIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select input.id from unnest(${[...workerIds]}::uuid[]) input (id)
    where ${isKnown(sql`${businessId}::uuid`, sql`input.id`)}`.execute(db);
  return rows.map(({ id }) => id);
}

export type PoolRow = { id: string; businessId: string; name: string };

export async function findPools(db: Db, businessId: string): Promise<(PoolRow & { workers: number })[]> {
  const { rows } = await sql<PoolRow & { workers: number }>`
    with applicant as materialized (
      select worker_id from saved_workers saved where saved.business_id = ${businessId} and ${isKnown(...ownColumns('saved'))})
    select pool.id, pool.business_id, pool.name, count(applicant.worker_id)::int as workers
    from pools pool left join pool_workers member on member.pool_id = pool.id
    left join applicant on applicant.worker_id = member.worker_id
    where pool.business_id = ${businessId} group by pool.id order by lower(pool.name), pool.id`.execute(db);
  return rows;
}

export async function countPoolWorkers(db: Db, poolId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pool_workers member
    where pool_id = ${poolId} and ${isKnown(...ownColumns('member'))}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns a pool with the caller's role in its business; null if they aren't a member. */
export async function findPool(
  db: Db,
  poolId: string,
  accountId: string,
): Promise<(PoolRow & { role: MemberRole | null; limited: boolean }) | undefined> {
  const { rows } = await sql<PoolRow & { role: MemberRole | null; limited: boolean }>`
    select pool.id, pool.business_id, pool.name, reader.role, reader.branch_ids is not null as limited
    from pools pool left join business_members reader on reader.business_id = pool.business_id and reader.account_id = ${accountId}
    where pool.id = ${poolId}`.execute(db);
  return rows[0];
}

async function insertPool(
  tx: Tx,
  row: { id: string; businessId: string; name: string; by: string; at: Date },
  limit: number,
): Promise<'written' | 'taken' | 'too-many'> {
  const { rows } = await sql<{ businessId: string }>`
    insert into pools (id, business_id, name, created_by, created_at)
    select ${row.id}::uuid, ${row.businessId}::uuid, ${row.name}, ${row.by}::uuid, ${row.at}::timestamptz
    where (select count(*) from pools where business_id = ${row.businessId}) < ${limit}
    on conflict (business_id, lower(name)) do nothing returning business_id`.execute(tx);
  emitOfBusiness(tx, 'pool', rows[0]);
  if (rows.length > 0) return 'written';
  return (await isNameTaken(tx, row.businessId, row.name, null)) ? 'taken' : 'too-many';
}

async function isNameTaken(
  db: Db,
  businessId: string,
  name: string,
  except: string | null,
): Promise<boolean> {
  const { rows } =
    await sql`select from pools where business_id = ${businessId} and lower(name) = lower(${name})
    and id is distinct from ${except}::uuid`.execute(db);
  return rows.length > 0;
}

async function updatePoolName(tx: Tx, pool: PoolRow, name: string): Promise<void> {
  await tx.updateTable('pools').set({ name }).where('id', '=', pool.id).execute();
  emitOfBusiness(tx, 'pool', pool);
}

async function lockPool(tx: Tx, poolId: string): Promise<boolean> {
  const { rows } = await sql`select from pools where id = ${poolId} for update`.execute(tx);
  return rows.length > 0;
}

async function deletePoolRow(tx: Tx, pool: PoolRow): Promise<void> {
  const members = await tx
    .deleteFrom('pool_workers')
    .where('poolId', '=', pool.id)
    .returning('workerId')
    .execute();
  await tx.deleteFrom('pools').where('id', '=', pool.id).execute();
  await dropUnsaved(
    tx,
    pool,
    members.map((row) => row.workerId),
  );
  emitOfBusiness(tx, 'pool', pool);
}

/**
 * Adds workers to a locked pool.
 * @returns the new number of rows
 */
async function insertPoolWorkers(
  tx: Tx,
  pool: PoolRow,
  workerIds: readonly string[],
  at: Date,
): Promise<number> {
  await sql`insert into saved_workers (business_id, worker_id, saved_at)
    select ${pool.businessId}::uuid, id, ${at}::timestamptz from unnest(${[...workerIds]}::uuid[]) id order by id
    on conflict do nothing`.execute(tx);
  await sql`insert into pool_workers (pool_id, business_id, worker_id, added_at)
    select ${pool.id}::uuid, ${pool.businessId}::uuid, id, ${at}::timestamptz from unnest(${[...workerIds]}::uuid[]) id order by id
    on conflict do nothing`.execute(tx);
  emitOfBusiness(tx, 'pool', pool);
  return countPoolWorkers(tx, pool.id);
}

async function deletePoolWorker(tx: Tx, pool: PoolRow, workerId: string): Promise<void> {
  await tx
    .deleteFrom('pool_workers')
    .where('poolId', '=', pool.id)
    .where('workerId', '=', workerId)
    .execute();
  await dropUnsaved(tx, pool, [workerId]);
  emitOfBusiness(tx, 'pool', pool);
}

/** Removes saved workers that are in no pool. Tags and notes are kept, in case a worker is saved again. */
async function dropUnsaved(tx: Tx, { businessId }: PoolRow, workerIds: readonly string[]): Promise<void> {
  await sql`delete from saved_workers saved where business_id = ${businessId} and worker_id = any(${[...workerIds]}::uuid[])
    and not exists (select from pool_workers member where member.business_id = saved.business_id
      and member.worker_id = saved.worker_id)`.execute(tx);
}

export type SavedStateRow = {
  workerId: string;
  pools: { id: string; name: string }[];
  tags: string[];
  notes: number;
};

const stateColumns = (worker: RawBuilder<unknown>, businessId: string) => sql`
  coalesce((select jsonb_agg(jsonb_build_object('id', pool.id, 'name', pool.name) order by lower(pool.name))
    from pool_workers member join pools pool on pool.id = member.pool_id
    where member.business_id = ${businessId} and member.worker_id = ${worker}), '[]') as pools,
  array(select tag from saved_worker_tags kept where kept.business_id = ${businessId} and kept.worker_id = ${worker} order by tag) as tags,
  (select count(*)::int from saved_worker_notes note where note.business_id = ${businessId} and note.worker_id = ${worker}) as notes`;

/** Returns a worker's pools and tags at a business, and the number of notes about them. All empty if not saved. */
export async function findSavedState(db: Db, businessId: string, workerId: string): Promise<SavedStateRow> {
  const { rows } = await sql<SavedStateRow>`select ${workerId}::uuid as worker_id,
    ${stateColumns(sql`${workerId}::uuid`, businessId)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query without a row');
  return row;
}

type SavedWorkerRow = SavedStateRow & {
  savedAt: Date;
  timesWorked: number;
  lastWorkedAt: Date | null;
  businessLat: number;
  businessLng: number;
};

/** Finds the page on an index first, then reads everything else about those workers only. */
export async function findSavedWorkers(
  db: Db,
  businessId: string,
  options: {
    poolId: string | null;
    nameWords: readonly string[];
    tag: string | null;
    after: readonly [string, string] | null;
    limit: number;
  },
): Promise<SavedWorkerRow[]> {
  const { poolId, nameWords, tag, after, limit } = options;
  const parts: RawBuilder<unknown>[] = [isKnown(...ownColumns('saved'))];
  if (poolId !== null)
    parts.push(sql`exists (select from pool_workers member
      where member.pool_id = ${poolId} and member.worker_id = saved.worker_id)`);
  const nameMatches = isNamed(sql`saved.worker_id`, nameWords);
  if (nameMatches) parts.push(nameMatches);
  if (tag !== null)
    parts.push(sql`exists (select from saved_worker_tags tagged where tagged.business_id = saved.business_id
      and tagged.worker_id = saved.worker_id and lower(tagged.tag) = lower(${tag}))`);
  if (after)
    parts.push(sql`(saved.saved_at, saved.worker_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const { rows } = await sql<SavedWorkerRow>`
    with picked as materialized (
      select saved.worker_id, saved.saved_at from saved_workers saved
      where saved.business_id = ${businessId} and ${sql.join(parts, sql` and `)}
      order by saved.saved_at desc, saved.worker_id desc limit ${limit})
    select picked.worker_id, picked.saved_at, ${stateColumns(sql`picked.worker_id`, businessId)},
      work.times as times_worked, work.last as last_worked_at, business.lat as business_lat, business.lng as business_lng
    from picked join businesses business on business.id = ${businessId} cross join lateral (
      select count(*)::int as times, max(coalesce(ends_at, approved_at)) as last from engagements
      where worker_id = picked.worker_id and business_id = ${businessId} and ${wasWorked('engagements')}) work
    order by picked.saved_at desc, picked.worker_id desc`.execute(db);
  return rows;
}

export async function findPoolWorkers(
  db: Db,
  pool: PoolRow,
): Promise<{ workerId: string; timesWorked: number }[]> {
  const { rows } = await sql<{ workerId: string; timesWorked: number }>`
    select member.worker_id, ${timesWorked(sql`member.worker_id`, sql`member.business_id`)} as times_worked
    from pool_workers member where member.pool_id = ${pool.id} and ${isKnown(...ownColumns('member'))}
    order by times_worked desc, member.added_at desc, member.worker_id`.execute(db);
  return rows;
}

export async function findSavedTags(
  db: Db,
  businessId: string,
  limit: number,
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*)::int as count from saved_worker_tags tagged join saved_workers saved using (business_id, worker_id)
    where business_id = ${businessId} and ${isKnown(...ownColumns('saved'))}
    group by tag order by count(*) desc, tag limit ${limit}`.execute(db);
  return rows;
}

export async function replaceSavedTags(
  tx: Tx,
  member: { businessId: string; workerId: string },
  tags: readonly string[],
): Promise<void> {
  await sql`delete from saved_worker_tags where business_id = ${member.businessId} and worker_id = ${member.workerId}
    and tag <> all(${[...tags]}::text[])`.execute(tx);
  await sql`insert into saved_worker_tags (business_id, worker_id, tag)
    select ${member.businessId}::uuid, ${member.workerId}::uuid, tag from unnest(${[...tags]}::text[]) tag
    on conflict do nothing`.execute(tx);
  emitOfBusiness(tx, 'pool', { businessId: member.businessId });
}
