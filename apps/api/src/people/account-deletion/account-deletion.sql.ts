import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

export type DeletionRow = {
  id: string;
  accountId: string;
  status: 'scheduled' | 'postponed';
  requestedAt: Date;
  deleteAt: Date;
};

const columns = ['id', 'accountId', 'status', 'requestedAt', 'deleteAt'] as const;

/** SQL: true for an account whose deletion has begun or is done. */
export const isLeavingOrGone = (accountId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from account_deletions leaving where leaving.account_id = ${accountId} and leaving.status <> 'undone')`;

export async function findDeletion(db: Db, accountId: string): Promise<DeletionRow | undefined> {
  const row = await db
    .selectFrom('account_deletions')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('status', 'in', ['scheduled', 'postponed'])
    .executeTakeFirst();
  return row as DeletionRow | undefined;
}

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
 * Locks owned businesses and `businessIds`, then the account (ADR 38), so that two owners can't leave at once.
 */
export async function lockLeaver(
  tx: Tx,
  accountId: string,
  businessIds: readonly string[] = [],
): Promise<void> {
  await sql`select business.id from businesses business
    where business.id = any(${[...businessIds]}::uuid[]) or business.status <> 'closed' and business.id in (
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
      accountId: row.accountId,
      status: 'scheduled',
      requestedAt: row.now,
      deleteAt: row.deleteAt,
    })
    .execute();
}

/** @returns false if the deletion had already ended */
export async function moveDeletion(
  tx: Tx,
  deletionId: string,
  to: 'postponed' | 'undone' | 'removed',
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_deletions')
    .set({ status: to, endedAt: to === 'postponed' ? null : now })
    .where('id', '=', deletionId)
    .where('status', 'in', ['scheduled', 'postponed'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findLeaver(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.accountId', 'accounts.id')
    .select(['accounts.name', 'accounts.email', 'profiles.phone'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

type CodeRow = {
  codeHash: Buffer;
  tries: number;
  sentCount: number;
  firstAt: Date;
  expiresAt: Date;
};

export async function lockCode(tx: Tx, accountId: string): Promise<CodeRow | undefined> {
  return tx
    .selectFrom('account_deletion_codes')
    .select(['codeHash', 'tries', 'sentCount', 'firstAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

export async function upsertCode(
  tx: Tx,
  row: { accountId: string; hash: Buffer; sentCount: number; firstAt: Date; now: Date; expiresAt: Date },
): Promise<void> {
  const values = {
    codeHash: row.hash,
    tries: 0,
    sentAt: row.now,
    sentCount: row.sentCount,
    firstAt: row.firstAt,
    expiresAt: row.expiresAt,
  };
  await tx
    .insertInto('account_deletion_codes')
    .values({ accountId: row.accountId, ...values })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values))
    .execute();
}

/**
 * Counts an attempt atomically.
 * @returns undefined if there is no code or no attempt left
 */
export async function recordDeletionAttempt(
  db: Db,
  accountId: string,
  limit: number,
  now: Date,
): Promise<{ codeHash: Buffer; tries: number } | undefined> {
  return db
    .updateTable('account_deletion_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('accountId', '=', accountId)
    .where('tries', '<', limit)
    .where('expiresAt', '>', now)
    .returning(['codeHash', 'tries'])
    .executeTakeFirst();
}

export async function deleteCode(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_deletion_codes').where('accountId', '=', accountId).execute();
}
