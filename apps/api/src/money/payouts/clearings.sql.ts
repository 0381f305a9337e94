import type { Currency } from '@nearhand/contract/currencies';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { Clearings } from '../../platform/tables.gen.ts';

export type ClearingRow = Omit<Selectable<Clearings>, 'currency'> & { currency: Currency };

/** Schedules a clearing; an existing one is kept. */
export async function insertClearing(tx: Tx, row: Insertable<Clearings>): Promise<void> {
  await tx
    .insertInto('clearings')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  emitRecord(tx, 'balance', { id: row.account_id, workerId: row.account_id });
}

/** A clearing, locked. */
export async function lockClearing(tx: Tx, clearingId: string): Promise<ClearingRow | undefined> {
  const { rows } =
    await sql<ClearingRow>`select * from clearings where id = ${clearingId} for update`.execute(tx);
  return rows[0];
}

export async function markCleared(tx: Tx, clearingId: string, at: Date): Promise<void> {
  await tx.updateTable('clearings').set({ cleared_at: at }).where('id', '=', clearingId).execute();
}

export async function deleteClearing(tx: Tx, { id, account_id }: ClearingRow): Promise<void> {
  await tx.deleteFrom('clearings').where('id', '=', id).execute();
  emitRecord(tx, 'balance', { id: account_id, workerId: account_id });
}

/** Overdue clearings by id, a page at a time. */
export async function listOverdue(
  db: Db,
  before: Date,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from clearings where cleared_at is null and clears_at < ${before}
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** The next clearing of each currency: the sum of all that clears at the earliest time. */
export async function nextClearings(
  db: Db,
  accountId: string,
): Promise<{ currency: Currency; amount_minor: number; clears_at: Date }[]> {
  const { rows } = await sql<{ currency: Currency; amount_minor: number; clears_at: Date }>`
    select distinct on (currency) currency, clears_at, sum(amount_minor)::bigint as amount_minor
    from clearings where account_id = ${accountId} and cleared_at is null
    group by currency, clears_at order by currency, clears_at`.execute(db);
  return rows;
}
