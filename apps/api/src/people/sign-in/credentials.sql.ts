import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

/** Sets an account's password, in the provider's own form: its `subject` is the account. */
export async function upsertPassword(
  tx: Tx,
  row: { id: string; accountId: string; passwordHash: string; now: Date },
): Promise<void> {
  const { accountId, passwordHash: password, now } = row;
  await tx
    .insertInto('credentials')
    .values({
      id: row.id,
      account_id: accountId,
      provider_id: 'credential',
      subject: accountId,
      password,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'subject']).doUpdateSet({ password, updated_at: now }),
    )
    .execute();
}

/** Replaces a password's hash by another one of the same password; a no-op if the password has changed. */
export async function replaceHash(
  tx: Tx,
  accountId: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ password: after })
    .where('account_id', '=', accountId)
    .where('password', '=', before)
    .execute();
}

/** Adds a way to sign in through another provider. @returns false if that identity belongs to another account */
export async function insertSocial(
  tx: Tx,
  row: { id: string; accountId: string; provider: string; subject: string; now: Date },
): Promise<boolean> {
  const kept = await tx
    .insertInto('credentials')
    .values({
      id: row.id,
      account_id: row.accountId,
      provider_id: row.provider,
      subject: row.subject,
      created_at: row.now,
      updated_at: row.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'subject']).doUpdateSet({ subject: sql`excluded.subject` }),
    )
    .returning('account_id')
    .executeTakeFirstOrThrow();
  return kept.account_id === row.accountId;
}

/** Removes an account's password. */
export async function deletePassword(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('account_id', '=', accountId)
    .where('provider_id', '=', 'credential')
    .execute();
}

/** Removes the password, and every other way to sign in that was added since a time. */
export async function deleteCredentials(tx: Tx, accountId: string, addedSince: Date): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('provider_id', '=', 'credential'), eb('created_at', '>=', addedSince)]))
    .execute();
}

/** The newest change of an account's password in its history; undefined without one. */
export const findNewestPasswordChange = (db: Db, accountId: string) =>
  db
    .selectFrom('sign_in_events')
    .select(['id', 'happened_at'])
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['password-changed', 'password-reset'])
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Until the transaction ends, no session of the account is stored: its reference to the account waits. */
export async function lockAgainstSessions(tx: Tx, accountId: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}
