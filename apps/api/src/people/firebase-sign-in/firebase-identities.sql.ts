import type { Db, Tx } from '../../platform/db.ts';

/** The identity of an account of ours; undefined without one. */
export async function findIdentityOf(db: Db, accountId: string) {
  return db
    .selectFrom('firebase_identities')
    .innerJoin('accounts', 'accounts.id', 'firebase_identities.account_id')
    .select(['uid', 'own_change_at as ownChangeAt', 'firebase_identities.email as agreedEmail'])
    .select(['accounts.email', 'accounts.email_verified'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** The account that an identity is linked to, both locked; undefined if it is linked to none. */
export async function lockLinked(tx: Tx, uid: string) {
  return tx
    .selectFrom('firebase_identities')
    .innerJoin('accounts', 'accounts.id', 'firebase_identities.account_id')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.email_verified as emailVerified',
      'accounts.disabled_at as disabledAt',
      'firebase_identities.email as agreedEmail',
      'firebase_identities.has_password as hasPassword',
    ])
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst();
}

/** Links an identity to an account, in place of another one that the account had. */
export async function upsertIdentity(
  tx: Tx,
  row: { uid: string; accountId: string; email: string; hasPassword: boolean; now: Date },
): Promise<void> {
  const { uid, email } = row;
  await tx
    .insertInto('firebase_identities')
    .values({ uid, account_id: row.accountId, email, has_password: row.hasPassword, created_at: row.now })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ uid, email, has_password: row.hasPassword }),
    )
    .execute();
}

/** What both sides agree on from now on. */
export async function updateIdentity(
  db: Db,
  uid: string,
  change: { email?: string; hasPassword?: boolean; ownChangeAt?: Date },
): Promise<void> {
  await db
    .updateTable('firebase_identities')
    .set({
      ...(change.email === undefined ? {} : { email: change.email }),
      ...(change.hasPassword === undefined ? {} : { has_password: change.hasPassword }),
      ...(change.ownChangeAt === undefined ? {} : { own_change_at: change.ownChangeAt }),
    })
    .where('uid', '=', uid)
    .execute();
}

/** @returns its uid; null if the account had none */
export async function deleteIdentityOf(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('firebase_identities')
    .where('account_id', '=', accountId)
    .returning('uid')
    .executeTakeFirst();
  return row?.uid ?? null;
}

/** Whether an account is linked to one at Firebase. */
export async function hasIdentity(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('firebase_identities')
    .select('uid')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account at Firebase is linked to one of ours. */
export async function isLinked(db: Db, uid: string): Promise<boolean> {
  const row = await db
    .selectFrom('firebase_identities')
    .select('uid')
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row !== undefined;
}
