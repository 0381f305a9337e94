import { randomBytes } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import {
  type SecondFactor,
  type SecondStep,
  type SignInOptions,
  signIn,
} from '@nearhand/contract/people/sign-in';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { firebaseApp } from '../../platform/firebase/firebase-app.ts';
import { read } from '../../platform/http/bind.ts';
import { showsMailbox } from '../../platform/http/dev-mailbox.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { addAccount, confirmAccountEmail, markAccountDisabled } from '../accounts/accounts.ts';
import { peopleHooks } from '../hooks.ts';
import { endAllSessions, endSessionsBut, logLockout, recordSignIn } from '../sessions/sessions.ts';
import { AuthFailure } from './auth-failures.ts';
import { hashIdentifier, resetIdentifier, resetLinkSeconds } from './provider.ts';
import {
  deleteLinksOf,
  deleteSecondFactorChecks,
  deleteSecondStepSince,
  deleteSignIn,
  findAccountByEmail,
  findPasswordCheck,
  findPendingStep,
  findProof,
  findSecondStep,
  findSession,
  findSignInTime,
  insertPasswordCheck,
  insertVerification,
  type SecondFactorMethod,
  touchSecondFactorCheck,
  upsertSecondFactorCheck,
} from './sign-in.sql.ts';
import { socialOptions } from './social/social.ts';

const resetTokenBytes = 24;

/** Which sign-in methods are configured, and where development mail can be read. Public. */
async function signInOptions(_db: Db, { config }: Scope<Actor | null>): Promise<SignInOptions> {
  return {
    provider: config.IDENTITY_PROVIDER,
    ...socialOptions(config),
    firebase: firebaseApp(config),
    mailboxPath: showsMailbox(config) ? '/dev/mailbox' : null,
  };
}

/**
 * Disables an account and ends its sessions: its tokens are refused within 5 seconds, and only a correct password
 * reveals `auth/user-disabled`. Idempotent; for operators, who have no screen for it yet.
 */
export async function disableAccount(tx: Tx, scope: Pick<Scope, 'clock'>, accountId: string): Promise<void> {
  await markAccountDisabled(tx, scope, accountId);
  await endAllSessions(tx, accountId);
}

/**
 * Removes the password, and every other way to sign in (also passkeys) and second step that were added since a time, and all links and
 * trusted devices, for an account that someone else had (ADR 157, 364). The caller ends its sessions.
 */
export async function forgetSignInSince(tx: Tx, accountId: string, since: Date): Promise<void> {
  await deleteCredentials(tx, accountId, since);
  await deleteSecondStepSince(tx, accountId, since);
  await deleteLinksOf(tx, accountId);
  await peopleHooks.on.signInForgotten(tx, accountId, since);
}

/** Another provider keeps the account's password from now on: ours, and pending links, work no longer. */
export const forgetPassword = (tx: Tx, { clock }: Pick<Scope, 'clock'>, accountId: string): Promise<void> =>
  forgetSignInSince(tx, accountId, clock.now());

/** Tells an account's owner by mail that the password changed. */
export const sendPasswordChangedTask = {
  name: 'sign-in.send-password-changed',
  payload: z.object({ email: z.string(), key: z.string() }),
};

/**
 * An account has a new password: every session but `keeps`, mailed link, pending second step and trusted device stops working, the history says so, and
 * the owner is told. Locks the account first: a session that is being opened is either seen and ended here, or waits and then sees the history
 * (`unlessPasswordChanges`).
 */
export async function followNewPassword(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  account: { id: string; email: string },
  change: { kind: 'password-changed' | 'password-reset'; userAgent: string; keeps?: string },
): Promise<void> {
  const { keeps, ...event } = change;
  await lockAgainstSessions(tx, account.id);
  await (keeps === undefined ? endAllSessions(tx, account.id) : endSessionsBut(tx, account.id, keeps));
  await deleteLinksOf(tx, account.id);
  await recordSignIn(tx, { clock }, { accountId: account.id, ...event });
  await peopleHooks.on.passwordChanged(tx, account.id);
  const key = `changed-${newId(clock.now())}`;
  await enqueue(tx, sendPasswordChangedTask, { email: account.email, key });
}

/** Links to reset the password, trusted devices and pending second steps of an account stop working. */
export const endLinks = (tx: Tx, accountId: string): Promise<void> => deleteLinksOf(tx, accountId);

/**
 * The only way to a verified address of an account that has an unverified one (ADR 364): its person has proven for the first time that they
 * read the mailbox, by a mailed link or a provider that vouches for it. Until then a stranger may have had the account, with a password,
 * accounts of Google or Facebook and passkeys of theirs: their sessions end, and all of these are removed, with what opens without a session.
 * Only someone who follows the link in a browser that is signed in to the account (`sessionId`) keeps them: whoever opened the account
 * reads the mailbox too. Repeating it is a no-op.
 * @param account with the address that was proven
 * @returns where everything was removed, a token to set a new password with
 * @throws AuthFailure auth/invalid-action-code if the account has another address by now
 */
export async function confirmMailbox(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  account: { id: string; email: string },
  sessionId: string | null,
): Promise<{ resetToken?: string }> {
  await lockAgainstSessions(tx, account.id);
  const first = await confirmAccountEmail(tx, scope, account);
  const owner = first ? account : await findAccountByEmail(tx, account.email);
  if (owner?.id !== account.id) throw new AuthFailure('auth/invalid-action-code');
  // Mail may go to the address again, also where it was verified before.
  await peopleHooks.on.addressConfirmed(tx, account.email);
  if (!first) return {};
  if (sessionId !== null) {
    await endSessionsBut(tx, account.id, sessionId);
    return {};
  }
  await endAllSessions(tx, account.id);
  await forgetSignInSince(tx, account.id, new Date(0));
  await peopleHooks.on.passwordChanged(tx, account.id);
  return { resetToken: await newResetToken(tx, scope, account.id) };
}

/** Whether the caller's sign-in asks for a second step, and whether they have the password to change that. */
async function secondStep(db: Db, { actor, config }: Scope): Promise<SecondStep> {
  const row = await findSecondStep(db, actor.accountId);
  const external = config.IDENTITY_PROVIDER !== 'built-in';
  return {
    on: row?.on ?? false,
    hasPassword: Boolean(external ? row?.hasExternalPassword : row?.hasPassword),
  };
}

/** How an account can prove a second factor: by a code of its app, or by a passkey. */
export async function secondFactorsOf(db: Db, accountId: string): Promise<SecondFactor[]> {
  const row = await findSecondStep(db, accountId);
  return [...(row?.on ? (['code'] as const) : []), ...(row?.hasPasskey ? (['passkey'] as const) : [])];
}

/**
 * Whether an operator's session has to prove a second factor before it changes the account's second factors: otherwise a password would be
 * enough to replace them (ADR 181).
 */
export async function mustConfirmAsOperator(
  db: Db,
  { clock }: Pick<Scope, 'clock'>,
  of: { accountId: string; sessionId: string },
): Promise<boolean> {
  const session = await findSession(db, of.sessionId, clock.now());
  return session?.operatorAway === true && (await secondFactorsOf(db, of.accountId)).length > 0;
}

/** A passkey was removed: a session that was confirmed by one confirms again. */
export const endPasskeyChecks = (tx: Tx, accountId: string): Promise<void> =>
  deleteSecondFactorChecks(tx, accountId, ['passkey']);

/** Adds a failed try to the history of the account with this address; a no-op without one. */
export async function noteFailedSignIn(
  db: Db,
  scope: Pick<Scope, 'clock'>,
  email: string,
  userAgent: string,
): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (!account) return;
  await db
    .transaction()
    .execute((tx) => recordSignIn(tx, scope, { accountId: account.id, kind: 'failed', userAgent }));
}

/** A token to set a new password with once, within an hour, for someone who proved that they own the account's mailbox. */
export async function newResetToken(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
): Promise<string> {
  const now = clock.now();
  const token = randomBytes(resetTokenBytes).toString('base64url');
  await insertVerification(tx, {
    id: newId(now),
    identifier: hashIdentifier(resetIdentifier(token)),
    value: accountId,
    expiresAt: new Date(now.getTime() + resetLinkSeconds * 1_000),
    now,
  });
  return token;
}

/** Whose token to set a new password this is; undefined once it was used or has expired. */
export const accountOfResetToken = (db: Db, { clock }: Pick<Scope, 'clock'>, token: string) =>
  findPendingStep(db, hashIdentifier(resetIdentifier(token)), clock.now());

/** For an account that is removed: no password or other way to sign in is left. */
export const forgetSignIn = (tx: Tx, accountId: string): Promise<void> => deleteSignIn(tx, accountId);

/**
 * Creates an account with a password in the caller's transaction and without mail, for the demo town.
 * @returns its id
 */
export async function openAccount(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  input: { email: string; name: string; passwordHash: string; emailVerified: boolean },
): Promise<string> {
  const now = scope.clock.now();
  const { passwordHash, ...facts } = input;
  const id = await addAccount(tx, scope, facts);
  await upsertPassword(tx, { id: newId(now), accountId: id, passwordHash, now });
  return id;
}

/** Sets the password of an account that comes back from another provider, in the form of `keptFirebaseHash`; null removes it. */
export async function restorePassword(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
  passwordHash: string | null,
): Promise<void> {
  if (passwordHash === null) return deletePassword(tx, accountId);
  const now = clock.now();
  await upsertPassword(tx, { id: newId(now), accountId, passwordHash, now });
}

/** An account that comes back from another provider signs in with Google, Facebook or Apple as it did there. @returns false if someone else does */
export function restoreSocial(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
  identity: { provider: 'google' | 'facebook' | 'apple'; subject: string },
): Promise<boolean> {
  const now = clock.now();
  return insertSocial(tx, { id: newId(now), accountId, ...identity, now });
}

/** When a session was opened; null if it has ended. */
export const sessionOpenedAt = (db: Db, sessionId: string): Promise<Date | null> =>
  findSignInTime(db, sessionId);

/** The password of a session was entered again, at a provider that says so. */
export const notePasswordProof = (
  db: Db,
  { clock }: Pick<Scope, 'clock'>,
  sessionId: string,
): Promise<void> => insertPasswordCheck(db, sessionId, clock.now());

/** A passkey counts like the password entered again in this session (ADR 169), and as its second factor (ADR 181). */
export async function notePasskeyProof(
  db: Db,
  { actor, clock }: Pick<Scope, 'actor' | 'clock'>,
): Promise<void> {
  await insertPasswordCheck(db, actor.sessionId, clock.now());
  await noteSecondFactor(db, { clock }, actor.sessionId, 'passkey');
}

/**
 * For what asks for the password again: requires that it was entered in this session within the last minutes (`/verify-password`), or a
 * passkey used instead.
 * @throws session/password-required
 */
export async function requireRecentPassword(
  db: Db,
  { actor, clock }: Pick<Scope, 'actor' | 'clock'>,
  minutes: number,
): Promise<void> {
  const at = await findPasswordCheck(db, actor.sessionId);
  if (at === null || at.getTime() < clock.now().getTime() - minutes * minuteMs)
    throw new AppError('session/password-required');
}

/** A session proved its second factor: at sign-in, or when asked again. */
export const noteSecondFactor = (
  db: Db,
  { clock }: Pick<Scope, 'clock'>,
  sessionId: string,
  method: SecondFactorMethod,
): Promise<void> => upsertSecondFactorCheck(db, sessionId, method, clock.now());

/**
 * An operator's session is at work (ADR 181).
 * @throws operator/confirm-again after `limits.operatorIdleMinutes` without work, or `limits.operatorConfirmHours`
 */
export async function noteOperatorCall(
  db: Db,
  { clock }: Pick<Scope, 'clock'>,
  sessionId: string,
): Promise<void> {
  if (!(await touchSecondFactorCheck(db, sessionId, clock.now())))
    throw new AppError('operator/confirm-again');
}

type Prover = Pick<Scope, 'clock' | 'config'> & { actor: { sessionId: string } };

/**
 * Whether a session's owner confirmed that it's them within the last minutes. An account with neither password nor passkey shows it by signing
 * in again.
 */
export async function hasRecentProof(db: Db, { actor, clock, config }: Prover): Promise<boolean> {
  const since = clock.now().getTime() - passkeyLimits.proofMinutes * minuteMs;
  const proof = await findProof(db, actor.sessionId, config.IDENTITY_PROVIDER !== 'built-in');
  const at = proof?.confirmedAt ?? (proof?.canConfirm ? null : proof?.signedInAt);
  return at !== null && at !== undefined && at.getTime() >= since;
}

/** For a write that reaches a guarded state, which a stolen session must not. @throws session/password-required */
export async function requireRecentProof(db: Db, prover: Prover): Promise<void> {
  if (!(await hasRecentProof(db, prover))) throw new AppError('session/password-required');
}

/** Strangers used up the password tries of an account. */
export const noteLockout = (db: Db, accountId: string): Promise<void> => logLockout(db, accountId);

/** Sets an account's password, in the provider's own form: its `subject` is the account. */
async function upsertPassword(
  tx: Tx,
  row: { id: string; accountId: string; passwordHash: string; now: Date },
): Promise<void> {
  const { accountId, passwordHash: password, now } = row;
  await tx
    .insertInto('credentials')
    .values({
      id: row.id,
      accountId,
      providerId: 'credential',
      subject: accountId,
      password,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'subject']).doUpdateSet({ password, updatedAt: now }),
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
    .where('accountId', '=', accountId)
    .where('password', '=', before)
    .execute();
}

/** Adds a way to sign in through another provider. @returns false if that identity belongs to another account */
async function insertSocial(
  tx: Tx,
  row: { id: string; accountId: string; provider: string; subject: string; now: Date },
): Promise<boolean> {
  const updated = await tx
    .insertInto('credentials')
    .values({
      id: row.id,
      accountId: row.accountId,
      providerId: row.provider,
      subject: row.subject,
      createdAt: row.now,
      updatedAt: row.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'subject']).doUpdateSet({ subject: sql`excluded.subject` }),
    )
    .returning('accountId')
    .executeTakeFirstOrThrow();
  return updated.accountId === row.accountId;
}

/** Removes an account's password. */
async function deletePassword(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('accountId', '=', accountId)
    .where('providerId', '=', 'credential')
    .execute();
}

/** Removes the password, and every other way to sign in that was added since a time. */
async function deleteCredentials(tx: Tx, accountId: string, addedSince: Date): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('accountId', '=', accountId)
    .where(({ eb, or }) => or([eb('providerId', '=', 'credential'), eb('createdAt', '>=', addedSince)]))
    .execute();
}

/** The newest change of an account's password in its history; undefined without one. */
export const findNewestPasswordChange = (db: Db, accountId: string) =>
  db
    .selectFrom('sign_in_events')
    .select(['id', 'happenedAt'])
    .where('accountId', '=', accountId)
    .where('kind', 'in', ['password-changed', 'password-reset'])
    .orderBy('happenedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Until the transaction ends, no session of the account is stored: its reference to the account waits. */
async function lockAgainstSessions(tx: Tx, accountId: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}

export const signInRoutes = {
  options: read(signIn.options, signInOptions),
  secondStep: read(signIn.secondStep, secondStep),
};
