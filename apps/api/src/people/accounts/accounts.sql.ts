import type { Intent } from '@nearhand/contract/people/profile-choices';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

/** The row behind `accounts.me`, its newest accepted terms and photo. */
export async function findAccount(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .select(['accounts.id', 'email', 'email_verified', 'name', 'intent', 'return_to', 'created_at'])
    .select('photo_file_id')
    .select((eb) =>
      eb
        .selectFrom('terms_acceptances')
        .select('terms_acceptances.version')
        .whereRef('terms_acceptances.account_id', '=', 'accounts.id')
        .orderBy('accepted_at', 'desc')
        .limit(1)
        .as('terms_accepted'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** Who an account says it is. */
export async function findIdentity(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** Businesses the account is a member of, by name; closed ones are left out. */
export async function listMemberships(db: Db, accountId: string) {
  return db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['business_id', 'role', 'name', 'status', 'logo_file_id'])
    .where('account_id', '=', accountId)
    .where('status', '<>', 'closed')
    .orderBy('name')
    .orderBy('business_id')
    .limit(100)
    .execute();
}

/** What an account may change of itself; absent fields stay. */
export type AccountChange = {
  name?: string | undefined;
  intent?: Intent | undefined;
  returnTo?: string | null | undefined;
};

export async function updateAccount(
  tx: Tx,
  accountId: string,
  change: AccountChange,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.intent === undefined ? {} : { intent: change.intent }),
      ...(change.returnTo === undefined ? {} : { return_to: change.returnTo }),
      updated_at: now,
    })
    .where('id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/**
 * Sets a verified address: `proven`, if the account still has the address `known` (null for any). Nothing else can (`0124_proven_mailboxes.sql`).
 * @returns whether that changed anything
 */
export async function proveMailbox(
  tx: Tx,
  account: { id: string; known: string | null; proven: string },
  now: Date,
): Promise<boolean> {
  const { id, known, proven } = account;
  const { rows } = await sql<{ changed: boolean }>`
    select prove_mailbox(${id}::uuid, ${known}, ${proven}, ${now}) as changed`.execute(tx);
  const changed = rows[0]?.changed === true;
  if (changed) emitRecord(tx, 'account', { id, workerId: id });
  return changed;
}

/** Sets another address, which is unverified. `ofUnverified`: of an account that has verified none. @returns whether it did */
export async function updateEmail(
  tx: Tx,
  account: { id: string; email: string; ofUnverified: boolean },
  now: Date,
): Promise<boolean> {
  const { id } = account;
  let query = tx
    .updateTable('accounts')
    .set({ email: account.email.toLowerCase(), email_verified: false, updated_at: now })
    .where('id', '=', id);
  if (account.ofUnverified) query = query.where('email_verified', '=', false);
  const { numUpdatedRows } = await query.executeTakeFirst();
  emitRecord(tx, 'account', { id, workerId: id });
  return numUpdatedRows === 1n;
}

export async function markDisabled(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ disabled_at: now, updated_at: now })
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .execute();
}

export async function insertAccount(
  tx: Tx,
  row: { id: string; email: string; name: string; emailVerified: boolean; now: Date },
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: row.id,
      email: row.email.toLowerCase(),
      name: row.name,
      email_verified: row.emailVerified,
      created_at: row.now,
      updated_at: row.now,
    })
    .execute();
}

export async function updateAsFormer(
  tx: Tx,
  accountId: string,
  former: { name: string; email: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      ...former,

      email_verified: false,
      image: null,
      intent: null,
      return_to: null,
      disabled_at: now,
      updated_at: now,
    })
    .where('id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}
