import type { Currency } from '@nearhand/contract/currencies';
import type { HoldStatus } from '@nearhand/contract/money/holds';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Holds, Releases } from '../../platform/tables.gen.ts';

export type HoldRow = Selectable<Holds>;

export async function insertHolds(tx: Tx, rows: readonly Insertable<Holds>[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('holds')
      .values([...rows])
      .execute();
  for (const row of rows) emitRecord(tx, 'hold', row);
}

export async function findHold(db: Db, holdId: string): Promise<HoldRow | undefined> {
  return db.selectFrom('holds').selectAll().where('id', '=', holdId).executeTakeFirst();
}

export async function findHoldOf(
  db: Db,
  filter: { offerId: string } | { engagementId: string },
): Promise<HoldRow | undefined> {
  const query = db.selectFrom('holds').selectAll();
  if ('offerId' in filter) return query.where('offerId', '=', filter.offerId).executeTakeFirst();
  return query.where('engagementId', '=', filter.engagementId).executeTakeFirst();
}

/** Locks a hold by its own id, its offer's or its engagement's. */
export async function lockHold(
  tx: Tx,
  filter: { holdId: string } | { offerId: string } | { engagementId: string },
): Promise<HoldRow | undefined> {
  const query = tx.selectFrom('holds').selectAll().forUpdate();
  if ('holdId' in filter) return query.where('id', '=', filter.holdId).executeTakeFirst();
  if ('offerId' in filter) return query.where('offerId', '=', filter.offerId).executeTakeFirst();
  return query.where('engagementId', '=', filter.engagementId).executeTakeFirst();
}

/** Locks the money set aside for spots of an instant hire that nobody has taken. */
export async function lockFreeSpots(tx: Tx, jobId: string): Promise<HoldRow[]> {
  const { rows } = await sql<HoldRow>`
    select * from holds where job_id = ${jobId} and offer_id is null and status = 'held' and not frozen
    order by created_at, id for update`.execute(tx);
  return rows;
}

export async function findUnpaidHolds(db: Db, applicationIds: readonly string[]): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select holds.id from holds join offers on offers.id = holds.offer_id
    where offers.application_id = any(${[...applicationIds]}) and offers.status = 'funding' and holds.status = 'authorising'`.execute(
    db,
  );
  return rows;
}

export type SpotMoney = {
  currency: Currency;
  payMinor: number;
  feeMinor: number;
  businessFeeBasisPoints: number;
  workerFeeBasisPoints: number;
};

/** Locks a free funded spot with exactly these amounts; skips rows locked elsewhere. */
export async function lockFreeSpot(tx: Tx, jobId: string, money: SpotMoney): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    select * from holds where job_id = ${jobId} and offer_id is null and status = 'held' and not frozen
      and currency = ${money.currency} and pay_minor = ${money.payMinor} and fee_minor = ${money.feeMinor}
      and business_fee_basis_points = ${money.businessFeeBasisPoints} and worker_fee_basis_points = ${money.workerFeeBasisPoints}
    order by created_at, id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

/** Updates a locked hold and increments its version, from which its entry keys derive. */
export async function updateHold(tx: Tx, row: HoldRow, changes: Updateable<Holds>): Promise<HoldRow> {
  const after = await tx
    .updateTable('holds')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'hold', after);
  return after;
}

export async function insertHoldMoves(
  tx: Tx,
  moves: readonly {
    id: string;
    holdId: string;
    actor: string;
    action: string;
    fromStatus: HoldStatus | null;
    toStatus: HoldStatus;
    reason: string | null;
    at: Date;
  }[],
): Promise<void> {
  if (moves.length > 0)
    await tx
      .insertInto('hold_moves')
      .values([...moves])
      .execute();
}

/** The money set aside for a job's free spots, fees included. Minor units. */
export async function sumFreeSpots(db: Db, jobId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(pay_minor + fee_minor), 0)::bigint as total from holds
    where job_id = ${jobId} and offer_id is null and status = 'held'`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Returns holds whose payment was due before a time, oldest first. */
export const findOverdueCheckouts = (db: Db, before: Date, limit: number): Promise<{ id: string }[]> =>
  db
    .selectFrom('holds')
    .select('id')
    .where('status', '=', 'authorising')
    .where('payBy', '<', before)
    .orderBy('payBy')
    .limit(limit)
    .execute();

/** Planned holds without their money (ADR 399) that no task of this name will fund. */
export const findLostPlans = (
  db: Db,
  { taskName, before, limit }: { taskName: string; before: Date; limit: number },
): Promise<{ id: string }[]> =>
  db
    .selectFrom('holds')
    .select('id')
    .where('status', '=', 'created')
    .where('fundAt', '<', before)
    .where(
      sql<boolean>`not exists (select from graphile_worker._private_jobs job
        where job.key = ${taskName} || '/' || holds.id and job.attempts < job.max_attempts)`,
    )
    .orderBy('fundAt')
    .limit(limit)
    .execute();

export type ReleaseRow = Selectable<Releases>;

export async function insertRelease(tx: Tx, row: Insertable<Releases>): Promise<void> {
  await tx.insertInto('releases').values(row).execute();
}

export async function findReleases(db: Db, engagementId: string): Promise<ReleaseRow[]> {
  return db
    .selectFrom('releases')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** Splits an owed release: `part` keeps the id, the rest gets a new one with the same time. */
export async function cutRelease(tx: Tx, row: ReleaseRow, part: ReleaseRow, restId: string): Promise<void> {
  const { amountMinor, feeMinor, workerFeeMinor } = part;
  await tx
    .updateTable('releases')
    .set({ amountMinor, feeMinor, workerFeeMinor })
    .where('id', '=', row.id)
    .where('state', '=', 'not_funded')
    .execute();
  await insertRelease(tx, {
    ...row,
    id: restId,
    amountMinor: row.amountMinor - amountMinor,
    feeMinor: row.feeMinor - feeMinor,
    workerFeeMinor: row.workerFeeMinor - workerFeeMinor,
  });
}

/** Marks a release as paid by a ledger entry. `clearsAt` is null for money that is available at once. */
export async function markReleased(
  tx: Tx,
  releaseId: string,
  paid: { entryId: string; clearsAt: Date | null; releasedAt: Date },
): Promise<void> {
  await tx
    .updateTable('releases')
    .set({ ...paid, state: 'released' })
    .where('id', '=', releaseId)
    .where('state', '=', 'not_funded')
    .execute();
}

/** Marks a paid release as reversed; returns false if it already was. */
export async function markReversed(tx: Tx, releaseId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('releases')
    .set({ reversedAt: at })
    .where('id', '=', releaseId)
    .where('state', '=', 'released')
    .where('reversedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function findPaidTips(db: Db, engagementId: string) {
  return db
    .selectFrom('tips')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .where('status', '=', 'paid')
    .orderBy('at')
    .orderBy('id')
    .execute();
}
