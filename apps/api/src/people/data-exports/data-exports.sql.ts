import type { Db, Tx } from '../../platform/db.ts';

export type ExportRow = {
  id: string;
  account_id: string;
  status: 'running' | 'ready' | 'failed' | 'expired';
  bytes: number | null;
  requested_at: Date;
  ready_at: Date | null;
  expires_at: Date | null;
};

const columns = ['id', 'account_id', 'status', 'bytes', 'requested_at', 'ready_at', 'expires_at'] as const;

export async function findLatest(db: Db, accountId: string): Promise<ExportRow | undefined> {
  const row = await db
    .selectFrom('data_exports')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as ExportRow | undefined;
}

/** When exports were asked for since then, oldest first. */
export async function countSince(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('data_exports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('requested_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** @returns false if one is running */
export async function insertExport(
  tx: Tx,
  row: { id: string; accountId: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('data_exports')
    .values({ id: row.id, account_id: row.accountId, status: 'running', requested_at: row.now })
    .onConflict((conflict) => conflict.column('account_id').where('status', '=', 'running').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Gives up exports that were asked for before then and never finished. */
export async function failStale(db: Db, before: Date, accountId?: string): Promise<void> {
  let query = db
    .updateTable('data_exports')
    .set({ status: 'failed' })
    .where('status', '=', 'running')
    .where('requested_at', '<', before);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  await query.execute();
}

/** A running export with the address of its account. */
export async function findRunning(db: Db, exportId: string) {
  return db
    .selectFrom('data_exports')
    .innerJoin('accounts', 'accounts.id', 'data_exports.account_id')
    .select(['data_exports.id', 'account_id', 'accounts.email'])
    .where('data_exports.id', '=', exportId)
    .where('status', '=', 'running')
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** @returns false if it was given up in the meantime */
export async function markReady(
  tx: Tx,
  row: { id: string; bytes: number; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('data_exports')
    .set({ status: 'ready', bytes: row.bytes, ready_at: row.now, expires_at: row.expiresAt })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The caller's export if its file can be downloaded now. */
export async function findReady(
  db: Db,
  exportId: string,
  accountId: string,
  now: Date,
): Promise<ExportRow | undefined> {
  const row = await db
    .selectFrom('data_exports')
    .select(columns)
    .where('id', '=', exportId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'ready')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row as ExportRow | undefined;
}

/** Whether the link of a finished export has expired. */
export async function isOver(db: Db, exportId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('data_exports')
    .select('id')
    .where('id', '=', exportId)
    .where('status', '=', 'ready')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markExpired(db: Db, exportId: string, now: Date): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ status: 'expired' })
    .where('id', '=', exportId)
    .where('status', '=', 'ready')
    .where('expires_at', '<=', now)
    .execute();
}

/** For a removed account: its exports end now. @returns those with a file */
export async function endExportsOf(tx: Tx, accountId: string, now: Date): Promise<string[]> {
  await tx
    .updateTable('data_exports')
    .set({ status: 'failed' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'running')
    .execute();
  const ended = await tx
    .updateTable('data_exports')
    .set({ expires_at: now })
    .where('account_id', '=', accountId)
    .where('status', '=', 'ready')
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}
