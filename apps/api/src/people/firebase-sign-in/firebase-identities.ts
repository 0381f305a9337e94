import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import {
  createFirebaseAccounts,
  type FirebaseAccounts,
  type FirebaseChange,
  FirebaseRefusedError,
} from '../../platform/firebase/firebase-accounts.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { peopleHooks } from '../hooks.ts';

export const pushEmailTask = defineTask({
  name: 'firebase-sign-in.push-email',
  payload: z.object({ accountId: z.string(), lockOut: z.boolean() }),
  queue: 'messages',
  run: updateFirebaseUser,
});

export const removeTask = defineTask({
  name: 'firebase-sign-in.remove',
  payload: z.object({ uid: z.string() }),
  queue: 'messages',
  run: removeFirebaseUser,
});

/** Pushes a new address to Firebase. `lockOut` also revokes what someone else may have set there. */
export async function pushEmail(tx: Tx, accountId: string, { lockOut = false } = {}): Promise<void> {
  if (!(await hasIdentity(tx, accountId))) return;
  const key = `firebase-email-${accountId}${lockOut ? '-lock' : ''}`;
  await enqueue(tx, pushEmailTask, { accountId, lockOut }, { key });
}

/** Part of account removal. Firebase's copy is deleted by a task, outside the transaction. */
export async function eraseFirebaseIdentity(tx: Tx, accountId: string): Promise<void> {
  const uid = await deleteIdentityOf(tx, accountId);
  if (uid !== null) await enqueue(tx, removeTask, { uid }, { key: `firebase-remove-${uid}` });
}

const passwordBytes = 32;

/** Sets a password that nobody knows, and removes the sign-ins with Google, Facebook and Apple. */
export const lockedOut = (): FirebaseChange => ({
  password: randomBytes(passwordBytes).toString('base64url'),
  deleteProvider: ['google.com', 'facebook.com', 'apple.com'],
});

/** Firebase stays configured after a return to the built-in sign-in. */
const isReachable = ({ config }: Pick<TaskScope, 'config'>): boolean =>
  config.FIREBASE_PROJECT_ID !== undefined &&
  (config.FIREBASE_SERVICE_ACCOUNT ?? config.FIREBASE_AUTH_EMULATOR) !== undefined;

const accountsOf = ({ config, clock }: TaskScope): FirebaseAccounts => createFirebaseAccounts(config, clock);

/**
 * Revokes sign-ins there but not here.
 * @throws FirebaseRefusedError such as EMAIL_EXISTS, FirebaseUnreachableError
 */
export async function changeAddress(
  db: Db,
  accounts: FirebaseAccounts,
  uid: string,
  change: FirebaseChange & { email: string },
): Promise<void> {
  await accounts.change(uid, change);
  const after = await accounts.find(uid);
  await updateIdentity(db, uid, {
    email: change.email,
    ownChangeAt: after?.validSince,
  });
}

async function updateFirebaseUser(
  scope: TaskScope,
  { accountId, lockOut }: { accountId: string; lockOut: boolean },
): Promise<void> {
  const { db, log } = scope;
  const linked = await findIdentityOf(db, accountId);
  if (!linked || (linked.email === linked.agreedEmail && !lockOut)) return;
  if (!isReachable(scope))
    return log.warn({ accountId }, 'Firebase is not configured; an address stays old there');
  const { uid, email, emailVerified } = linked;
  const accounts = accountsOf(scope);
  const push = () =>
    changeAddress(db, accounts, uid, { email, emailVerified, ...(lockOut ? lockedOut() : {}) });
  try {
    await push().catch(async (error: unknown) => {
      const isTaken = error instanceof FirebaseRefusedError && error.code === 'EMAIL_EXISTS';
      if (!isTaken || !(await giveUpAddress(db, accounts, email, { verifiedToo: lockOut }))) throw error;
      await push();
    });
  } catch (error) {
    if (!(error instanceof FirebaseRefusedError)) throw error;
    // A retry would not help: the address is taken there, or the account was deleted.
    log.error({ accountId, code: error.code }, 'Firebase refused the new address of an account');
    if (error.code !== 'EMAIL_EXISTS') return;
    // Someone locked out could still reset the password by mail, so an operator must enable the account.
    if (lockOut) return accounts.change(uid, { ...lockedOut(), disableUser: true });
    await db.transaction().execute((tx) => peopleHooks.on.emailRefused(tx, scope, { accountId, email }));
  }
}

/**
 * Removes a Firebase account that never signed in here and blocks a proven address. Keeps one that proved it
 * too, unless `verifiedToo`.
 * @returns whether the address is free
 */
async function giveUpAddress(
  db: Db,
  accounts: FirebaseAccounts,
  email: string,
  { verifiedToo }: { verifiedToo: boolean },
): Promise<boolean> {
  const holder = await accounts.findByEmail(email);
  if (!holder) return true;
  if ((holder.emailVerified && !verifiedToo) || (await isLinked(db, holder.uid))) return false;
  await accounts.remove(holder.uid);
  return true;
}

async function removeFirebaseUser(scope: TaskScope, { uid }: { uid: string }): Promise<void> {
  if (!isReachable(scope))
    return scope.log.warn({ uid }, 'Firebase is not configured; an account stays there');
  await accountsOf(scope).remove(uid);
}

export async function findIdentityOf(db: Db, accountId: string) {
  return db
    .selectFrom('firebase_identities')
    .innerJoin('accounts', 'accounts.id', 'firebase_identities.accountId')
    .select(['uid', 'ownChangeAt', 'firebase_identities.email as agreedEmail'])
    .select(['accounts.email', 'accounts.emailVerified'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** The account linked to an identity, both locked. */
export async function lockLinked(tx: Tx, uid: string) {
  return tx
    .selectFrom('firebase_identities')
    .innerJoin('accounts', 'accounts.id', 'firebase_identities.accountId')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.emailVerified',
      'accounts.disabledAt',
      'firebase_identities.email as agreedEmail',
      'firebase_identities.hasPassword',
    ])
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst();
}

export async function upsertFirebaseIdentity(
  tx: Tx,
  row: { uid: string; accountId: string; email: string; hasPassword: boolean; now: Date },
): Promise<void> {
  const { uid, email } = row;
  await tx
    .insertInto('firebase_identities')
    .values({ uid, accountId: row.accountId, email, hasPassword: row.hasPassword, createdAt: row.now })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ uid, email, hasPassword: row.hasPassword }),
    )
    .execute();
}

/** Records the address and state that both sides agree on. */
export async function updateIdentity(
  db: Db,
  uid: string,
  change: { email?: string; hasPassword?: boolean; ownChangeAt?: Date },
): Promise<void> {
  await db
    .updateTable('firebase_identities')
    .set({
      email: change.email,
      hasPassword: change.hasPassword,
      ownChangeAt: change.ownChangeAt,
    })
    .where('uid', '=', uid)
    .execute();
}

async function deleteIdentityOf(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('firebase_identities')
    .where('accountId', '=', accountId)
    .returning('uid')
    .executeTakeFirst();
  return row?.uid ?? null;
}

async function hasIdentity(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('firebase_identities')
    .select('uid')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

async function isLinked(db: Db, uid: string): Promise<boolean> {
  const row = await db
    .selectFrom('firebase_identities')
    .select('uid')
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row !== undefined;
}
