import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { PhoneCodes } from '../../platform/tables.gen.ts';

type Status = 'open' | 'used' | 'replaced' | 'undelivered';

const columns = ['id', 'account_id', 'phone', 'status', 'tries', 'created_at', 'expires_at'] as const;
export type PhoneCodeRow = NonNullable<Awaited<ReturnType<typeof findCode>>>;

const emitAccount = (tx: Tx, accountId: string) =>
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });

/** Counts and checks of one account, number or network happen one after the other until the transaction ends. */
export async function lockNumbers(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended('phone ' || ${key}, 0))`.execute(tx);
}

/** When codes were sent since then, oldest first. */
export async function findSent(
  db: Db,
  by: 'account_id' | 'phone' | 'network',
  value: string,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('phone_codes')
    .select('created_at')
    .where(by, '=', value)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => row.created_at);
}

export async function findCode(db: Db, codeId: string) {
  const row = await db.selectFrom('phone_codes').select(columns).where('id', '=', codeId).executeTakeFirst();
  return row && { ...row, status: row.status as Status };
}

/** The account's newest code, in any state. */
export async function findNewestCode(db: Db, accountId: string): Promise<PhoneCodeRow | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, status: row.status as Status };
}

/** Replaces the account's open code by this one. */
export async function insertCode(
  tx: Tx,
  row: Insertable<PhoneCodes> & { account_id: string },
): Promise<void> {
  await tx
    .updateTable('phone_codes')
    .set({ status: 'replaced' })
    .where('account_id', '=', row.account_id)
    .where('status', '=', 'open')
    .execute();
  await tx.insertInto('phone_codes').values(row).execute();
  emitAccount(tx, row.account_id);
}

/** Counts a try of the account's open code; undefined if there is none, it has expired, or no tries are left. */
export async function takeTry(
  db: Db,
  accountId: string,
  most: number,
  now: Date,
): Promise<{ id: string; tries: number } | undefined> {
  return db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .where('tries', '<', most)
    .where('expires_at', '>', now)
    .returning(['id', 'tries'])
    .executeTakeFirst();
}

/** Moves an open code on; undefined if it is no longer open. */
export async function endCode(
  tx: Tx,
  codeId: string,
  to: 'used' | 'undelivered',
): Promise<{ account_id: string; phone: string } | undefined> {
  const row = await tx
    .updateTable('phone_codes')
    .set({ status: to })
    .where('id', '=', codeId)
    .where('status', '=', 'open')
    .returning(['account_id', 'phone'])
    .executeTakeFirst();
  if (row) emitAccount(tx, row.account_id);
  return row;
}

export async function deleteCodesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('phone_codes').where('created_at', '<', before).execute();
}

/** Deletes an account's codes; returns the numbers they went to. */
export async function deleteCodesOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_codes')
    .where('account_id', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}
