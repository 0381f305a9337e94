import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';

const columns = ['id', 'name', 'createdAt', 'lastUsedAt', 'synced'] as const;

export async function findPasskeys(db: Db, accountId: string) {
  return db
    .selectFrom('passkeys')
    .select([...columns, 'credentialId', 'transports'])
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function findByCredential(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'accountId', 'credentialId', 'publicKey', 'counter'])
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
}

/**
 * Locks an account's ways to sign in.
 * @returns its name and address; undefined if it was deleted
 */
export async function lockOwner(tx: Tx, accountId: string) {
  return tx
    .selectFrom('accounts')
    .select(['id', 'name', 'email'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/** Returns whether the account can sign in without its passkeys. */
export async function hasOtherWay(db: Db, accountId: string): Promise<boolean> {
  const external = await db
    .selectFrom('firebase_identities')
    .select('uid')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (external) return true;
  const row = await db
    .selectFrom('credentials')
    .select('id')
    .where('accountId', '=', accountId)
    .where(({ eb, or }) => or([eb('providerId', '<>', 'credential'), eb('password', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type NewPasskey = {
  id: string;
  accountId: string;
  name: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
  synced: boolean;
  now: Date;
};

/** @returns undefined if the credential is already registered */
export async function insertPasskey(tx: Tx, row: NewPasskey) {
  const inserted = await tx
    .insertInto('passkeys')
    .values({
      id: row.id,
      accountId: row.accountId,
      name: row.name,
      synced: row.synced,
      counter: row.counter,
      credentialId: row.credentialId,
      publicKey: row.publicKey,
      createdAt: row.now,
      transports: [...row.transports],
    })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (inserted) emitAccount(tx, row.accountId);
  return inserted;
}

export async function updateName(tx: Tx, accountId: string, id: string, name: string) {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returning(columns)
    .executeTakeFirst();
  if (row) emitAccount(tx, accountId);
  return row;
}

export async function deletePasskey(tx: Tx, accountId: string, id: string) {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returning(['id', 'name'])
    .executeTakeFirst();
  if (row) emitAccount(tx, accountId);
  return row;
}

/** Removes all passkeys, or those added since someone else took over the account (ADR 157). */
export async function deletePasskeysOf(tx: Tx, accountId: string, since = new Date(0)): Promise<void> {
  const rows = await tx
    .deleteFrom('passkeys')
    .where('accountId', '=', accountId)
    .where('createdAt', '>=', since)
    .returning('id')
    .execute();
  if (rows.length > 0) emitAccount(tx, accountId);
}

/** @returns false if the counter did not grow: the passkey may be cloned */
export async function markUsed(
  tx: Tx,
  passkey: { id: string; accountId: string },
  used: { counter: number; synced: boolean; now: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('passkeys')
    .set({ counter: used.counter, synced: used.synced, lastUsedAt: used.now })
    .where('id', '=', passkey.id)
    .where(({ and, eb, or }) =>
      or([eb('counter', '<', used.counter), and([eb('counter', '=', 0), eb('counter', '=', used.counter)])]),
    )
    .returning('id')
    .executeTakeFirst();
  if (row) emitAccount(tx, passkey.accountId);
  return row !== undefined;
}

export type Purpose = 'add' | 'confirm' | 'sign-in' | 'second-step';

export async function saveChallenge(
  db: Db,
  row: { purpose: Purpose; holder: string; challenge: string; expiresAt: Date },
): Promise<void> {
  const { purpose, holder, challenge, expiresAt } = row;
  await db
    .insertInto('passkey_questions')
    .values({ purpose, holder, challenge, expiresAt })
    .onConflict((conflict) => conflict.columns(['purpose', 'holder']).doUpdateSet({ challenge, expiresAt }))
    .execute();
}

/**
 * Consumes a challenge, even if the answer is wrong.
 * @returns undefined if there is no such challenge
 */
export async function redeemChallenge(
  db: Db,
  purpose: Purpose,
  holder: string,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkey_questions')
    .where('purpose', '=', purpose)
    .where('holder', '=', holder)
    .returning(['challenge', 'expiresAt'])
    .executeTakeFirst();
  return row && row.expiresAt > now ? row.challenge : undefined;
}

export async function deleteOldChallenges(db: Db, now: Date): Promise<void> {
  await sql`delete from passkey_questions where expires_at < ${now}`.execute(db);
}
