import type { Currency } from '@nearhand/contract/currencies';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { PayoutMethods } from '../../platform/tables.gen.ts';
import { tellRecord } from '../../platform/tell-records.ts';

export type MethodRow = Omit<Selectable<PayoutMethods>, 'currency'> & { currency: Currency };

/** Lets one change at a time be made to what belongs to a worker here: methods, withdrawals and their number in a day (ADR 0077). */
export async function lockWorker(tx: Tx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
}

/** Methods that were not removed: the default one first, then as they were added. */
export async function listMethods(db: Db, accountId: string): Promise<MethodRow[]> {
  const { rows } = await sql<MethodRow>`
    select * from payout_methods where account_id = ${accountId} and removed_at is null
    order by is_default desc, added_at, id`.execute(db);
  return rows;
}

/** A worker's own method, removed or not. */
export async function findMethod(
  db: Db,
  accountId: string,
  methodId: string,
): Promise<MethodRow | undefined> {
  const { rows } = await sql<MethodRow>`
    select * from payout_methods where id = ${methodId} and account_id = ${accountId}`.execute(db);
  return rows[0];
}

export async function findMethodByRef(db: Db, providerRef: string): Promise<MethodRow | undefined> {
  const { rows } =
    await sql<MethodRow>`select * from payout_methods where provider_ref = ${providerRef}`.execute(db);
  return rows[0];
}

export async function insertMethod(tx: Tx, row: Insertable<PayoutMethods>): Promise<void> {
  await tx.insertInto('payout_methods').values(row).execute();
  tellRecord(tx, 'balance', { id: row.account_id, workerId: row.account_id });
}

/** Makes one the default in place of another; null leaves none. */
export async function setDefault(tx: Tx, accountId: string, methodId: string | null): Promise<void> {
  // Two statements: the index allows no second default even while one statement runs.
  await sql`update payout_methods set is_default = false
    where account_id = ${accountId} and is_default and removed_at is null`.execute(tx);
  if (methodId !== null)
    await sql`update payout_methods set is_default = true where id = ${methodId}`.execute(tx);
  tellRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

export async function markMethodRemoved(tx: Tx, methodId: string, at: Date): Promise<void> {
  const { account_id: workerId } = await tx
    .updateTable('payout_methods')
    .set({ removed_at: at, is_default: false })
    .where('id', '=', methodId)
    .returning('account_id')
    .executeTakeFirstOrThrow();
  tellRecord(tx, 'balance', { id: workerId, workerId });
}
