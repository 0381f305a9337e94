import type { Currency } from '@nearhand/contract/currencies';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { PayoutMethods } from '../../platform/tables.gen.ts';

export type MethodRow = Omit<Selectable<PayoutMethods>, 'currency'> & { currency: Currency };

/** Serializes changes to a worker's methods and withdrawals, including the daily count (ADR 77). */
export async function lockWorker(tx: Tx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
}

/** Methods that were not removed: the default first, then by age. */
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
  emitRecord(tx, 'balance', { id: row.account_id, workerId: row.account_id });
}

/** Makes one the default instead of another; null leaves none. */
export async function setDefault(tx: Tx, accountId: string, methodId: string | null): Promise<void> {
  // Two statements, because the unique index rejects two defaults even within one.
  await sql`update payout_methods set is_default = false
    where account_id = ${accountId} and is_default and removed_at is null`.execute(tx);
  if (methodId !== null)
    await sql`update payout_methods set is_default = true where id = ${methodId}`.execute(tx);
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

export async function markMethodRemoved(tx: Tx, methodId: string, at: Date): Promise<void> {
  const { account_id: workerId } = await tx
    .updateTable('payout_methods')
    .set({ removed_at: at, is_default: false })
    .where('id', '=', methodId)
    .returning('account_id')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}

/** For a removed account: its bank accounts are removed, and nothing of them is shown any more. */
export async function forgetMethods(tx: Tx, accountId: string, name: string, at: Date): Promise<void> {
  await sql`update payout_methods set bank_name = '', last4 = '', holder_name = ${name}, is_default = false, accepted_for = null,
      removed_at = coalesce(removed_at, ${at})
    where account_id = ${accountId}`.execute(tx);
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Money can go to this bank account although its holder has another name than the verified one. */
export async function acceptHolder(tx: Tx, methodId: string, name: string): Promise<void> {
  const { account_id: workerId } = await tx
    .updateTable('payout_methods')
    .set({ accepted_for: name })
    .where('id', '=', methodId)
    .returning('account_id')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}
