import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

/** The account, locked: one change of its email at a time. */
export async function lockAccount(tx: Tx, accountId: string) {
  return tx
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified as emailVerified'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether another account has an address, or had it and may still undo its change. */
export async function isAddressTaken(
  db: Db,
  email: string,
  now: Date,
  exceptAccountId: string,
): Promise<boolean> {
  const owner = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', exceptAccountId)
    .executeTakeFirst();
  if (owner) return true;
  const held = await db
    .selectFrom('email_changes')
    .select('id')
    .where('old_email', '=', email)
    .where('account_id', '<>', exceptAccountId)
    .where('status', '=', 'done')
    .where('undo_until', '>', now)
    .executeTakeFirst();
  return held !== undefined;
}

const columns = [
  'id',
  'account_id',
  'old_email',
  'new_email',
  'status',
  'old_token_hash',
  'new_token_hash',
  'old_confirmed_at',
  'new_confirmed_at',
  'created_at',
  'expires_at',
  'done_at',
  'undo_until',
] as const;

export async function findOpenChange(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function countChangesOfDay(db: Db, accountId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('email_changes')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertChange(
  tx: Tx,
  change: {
    id: string;
    accountId: string;
    oldEmail: string;
    newEmail: string;
    oldTokenHash: string;
    newTokenHash: string;
    now: Date;
    expiresAt: Date;
  },
) {
  const row = await tx
    .insertInto('email_changes')
    .values({
      id: change.id,
      account_id: change.accountId,
      old_email: change.oldEmail,
      new_email: change.newEmail,
      status: 'open',
      old_token_hash: change.oldTokenHash,
      new_token_hash: change.newTokenHash,
      created_at: change.now,
      expires_at: change.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'account', { id: change.accountId, workerId: change.accountId });
  return row;
}

/** Cancels the account's open change. A no-op without one. */
export async function cancelOpenChange(tx: Tx, accountId: string): Promise<void> {
  const ended = await tx
    .updateTable('email_changes')
    .set({ status: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .returning('id')
    .execute();
  if (ended.length > 0) emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** The change behind a link to confirm, not locked: its account is locked first. */
export async function findByToken(db: Db, tokenHash: string) {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where(({ eb, or }) => or([eb('old_token_hash', '=', tokenHash), eb('new_token_hash', '=', tokenHash)]))
    .executeTakeFirst();
}

/** The change behind a link to undo. */
export async function findByUndoToken(db: Db, tokenHash: string) {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where('undo_token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Notes that one address confirmed. */
export async function markConfirmed(
  tx: Tx,
  change: { id: string; account_id: string },
  side: 'old' | 'new',
  now: Date,
) {
  const row = await tx
    .updateTable('email_changes')
    .set(side === 'old' ? { old_confirmed_at: now } : { new_confirmed_at: now })
    .where('id', '=', change.id)
    .where('status', '=', 'open')
    .where(side === 'old' ? 'old_confirmed_at' : 'new_confirmed_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
  if (row) emitRecord(tx, 'account', { id: change.account_id, workerId: change.account_id });
  return row;
}

export async function markDone(
  tx: Tx,
  change: { id: string; account_id: string },
  undoTokenHash: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('email_changes')
    .set({
      status: 'done',
      done_at: now,
      undo_token_hash: undoTokenHash,
      undo_until: new Date(now.getTime() + limits.emailUndoDays * dayMs),
    })
    .where('id', '=', change.id)
    .where('status', '=', 'open')
    .execute();
  emitRecord(tx, 'account', { id: change.account_id, workerId: change.account_id });
}

/** The account's latest finished change, if it can still be undone. */
export async function findLatestDone(tx: Tx, accountId: string) {
  return tx
    .selectFrom('email_changes')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('status', '=', 'done')
    .orderBy('done_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Undoes a change and every later one of the account: their links stop working. */
export async function markUndone(tx: Tx, accountId: string, since: Date): Promise<void> {
  await tx
    .updateTable('email_changes')
    .set({ status: 'undone' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'done')
    .where('created_at', '>=', since)
    .execute();
  await cancelOpenChange(tx, accountId);
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** Deletes changes that nothing can be done with any more. */
export async function deleteOldChanges(db: Db, now: Date): Promise<void> {
  const dead = new Date(now.getTime() - limits.emailUndoDays * dayMs);
  await db
    .deleteFrom('email_changes')
    .where('status', 'in', ['open', 'cancelled', 'undone'])
    .where('expires_at', '<', dead)
    .execute();
  await db.deleteFrom('email_changes').where('status', '=', 'done').where('undo_until', '<', dead).execute();
}

/** For an account that is removed (ADR 160). */
export async function deleteChangesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('email_changes').where('account_id', '=', accountId).execute();
}
