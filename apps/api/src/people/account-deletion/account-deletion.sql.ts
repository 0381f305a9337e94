import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

export type DeletionRow = {
  id: string;
  account_id: string;
  status: 'scheduled' | 'postponed';
  requested_at: Date;
  delete_at: Date;
};

const columns = ['id', 'account_id', 'status', 'requested_at', 'delete_at'] as const;

/** An account's pending deletion; undefined without one. */
export async function findDeletion(db: Db, accountId: string): Promise<DeletionRow | undefined> {
  const row = await db
    .selectFrom('account_deletions')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('status', 'in', ['scheduled', 'postponed'])
    .executeTakeFirst();
  return row as DeletionRow | undefined;
}

/** The same for the runner: a pending deletion, locked. */
export async function lockDeletion(tx: Tx, deletionId: string): Promise<DeletionRow | undefined> {
  const row = await tx
    .selectFrom('account_deletions')
    .select(columns)
    .where('id', '=', deletionId)
    .where('status', 'in', ['scheduled', 'postponed'])
    .forUpdate()
    .executeTakeFirst();
  return row as DeletionRow | undefined;
}

/**
 * Locks an account and the open businesses it owns, businesses first (ADR 38). Rows that name the account are inserted before or after this, never
 * in between; two owners of one business can't leave at once.
 */
export async function lockLeaver(tx: Tx, accountId: string): Promise<void> {
  await sql`select business.id from businesses business
    where business.status <> 'closed' and business.id in (
      select business_id from business_members where account_id = ${accountId} and role = 'owner')
    order by business.id for no key update`.execute(tx);
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}

export async function insertDeletion(
  tx: Tx,
  row: { id: string; accountId: string; now: Date; deleteAt: Date },
): Promise<void> {
  await tx
    .insertInto('account_deletions')
    .values({
      id: row.id,
      account_id: row.accountId,
      status: 'scheduled',
      requested_at: row.now,
      delete_at: row.deleteAt,
    })
    .execute();
}

/** @returns false if it had ended in the meantime */
export async function moveDeletion(
  tx: Tx,
  deletionId: string,
  to: 'postponed' | 'undone' | 'removed',
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_deletions')
    .set({ status: to, ended_at: to === 'postponed' ? null : now })
    .where('id', '=', deletionId)
    .where('status', 'in', ['scheduled', 'postponed'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Open businesses that would have no owner: the account owns them, and every other owner is leaving too. */
export async function findLastOwned(db: Db, accountId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select business.id, business.name from business_members member join businesses business on business.id = member.business_id
    where member.account_id = ${accountId} and member.role = 'owner' and business.status <> 'closed' and not exists (
      select from business_members other
      where other.business_id = business.id and other.role = 'owner' and other.account_id <> ${accountId}
        and not exists (select from account_deletions leaving
          where leaving.account_id = other.account_id and leaving.status in ('scheduled', 'postponed')))
    order by business.name, business.id limit 100`.execute(db);
  return rows;
}

/** Who is leaving: name, address and number, as others may have seen them. */
export async function findLeaver(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .select(['accounts.name', 'accounts.email', 'profiles.phone'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

export type CodeRow = {
  code_hash: Buffer;
  tries: number;
  sent_count: number;
  first_at: Date;
  expires_at: Date;
};

export async function lockCode(tx: Tx, accountId: string): Promise<CodeRow | undefined> {
  return tx
    .selectFrom('account_deletion_codes')
    .select(['code_hash', 'tries', 'sent_count', 'first_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

export async function putCode(
  tx: Tx,
  row: { accountId: string; hash: Buffer; sentCount: number; firstAt: Date; now: Date; expiresAt: Date },
): Promise<void> {
  const values = {
    code_hash: row.hash,
    tries: 0,
    sent_at: row.now,
    sent_count: row.sentCount,
    first_at: row.firstAt,
    expires_at: row.expiresAt,
  };
  await tx
    .insertInto('account_deletion_codes')
    .values({ account_id: row.accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

/** Counts a try in one statement, so that concurrent ones can't exceed the limit. @returns undefined without a code or tries */
export async function takeTry(
  db: Db,
  accountId: string,
  most: number,
  now: Date,
): Promise<{ code_hash: Buffer; tries: number } | undefined> {
  return db
    .updateTable('account_deletion_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('tries', '<', most)
    .where('expires_at', '>', now)
    .returning(['code_hash', 'tries'])
    .executeTakeFirst();
}

export async function deleteCode(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_deletion_codes').where('account_id', '=', accountId).execute();
}
