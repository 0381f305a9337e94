import { randomBytes } from 'node:crypto';
import { addMs, minuteMs } from '@nearhand/contract/durations';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import type { SecondFactor } from '@nearhand/contract/people/sign-in';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { addAccount, confirmAccountEmail, markAccountDisabled } from '../accounts/accounts.ts';
import { peopleHooks } from '../hooks.ts';
import { endSessions, recordSignIn } from '../sessions/sessions.ts';
import { AuthFailure } from './auth-failures.ts';
import { hashIdentifier, resetIdentifier, resetLinkSeconds } from './provider.ts';
import {
  deleteLinksOf,
  deleteSecondFactorChecks,
  deleteSecondStepSince,
  findAccountByEmail,
  findPasswordCheck,
  findPendingStep,
  findProof,
  findSecondFactorCheck,
  findSecondStep,
  findSession,
  insertPasswordCheck,
  insertVerification,
  type SecondFactorMethod,
  touchSecondFactorCheck,
  upsertSecondFactorCheck,
} from './sign-in.sql.ts';

const resetTokenBytes = 24;

/** Disables an account and ends its sessions within 5 seconds. Idempotent; for operators. */
export async function disableAccount(tx: Tx, scope: ClockScope, accountId: string): Promise<void> {
  await markAccountDisabled(tx, scope, accountId);
  await endSessions(tx, accountId);
}

/** Removes every way to sign in added since someone else had the account (ADR 157, 364), but not sessions. */
export async function deleteSignInSince(tx: Tx, accountId: string, since: Date): Promise<void> {
  await deleteCredentials(tx, accountId, since);
  await deleteSecondStepSince(tx, accountId, since);
  await deleteLinksOf(tx, accountId);
  await peopleHooks.on.signInForgotten(tx, accountId, since);
}

/** Removes our password and links, because another provider now keeps the password. */
export const deleteOwnCredentials = (tx: Tx, { clock }: ClockScope, accountId: string): Promise<void> =>
  deleteSignInSince(tx, accountId, clock.now());

export const sendPasswordChangedTask = {
  name: 'sign-in.send-password-changed',
  payload: z.object({ email: z.string(), key: z.string() }),
};

/**
 * Ends sessions, links and trusted devices after a password change. Locks the account first, so that a
 * session opened concurrently is ended here or sees the change.
 */
export async function onPasswordChanged(
  tx: Tx,
  { clock }: ClockScope,
  account: { id: string; email: string },
  change: { kind: 'password-changed' | 'password-reset'; userAgent: string; keeps?: string },
): Promise<void> {
  const { keeps, ...event } = change;
  await lockAgainstSessions(tx, account.id);
  await endSessions(tx, account.id, { except: keeps });
  await deleteLinksOf(tx, account.id);
  await recordSignIn(tx, { clock }, { accountId: account.id, ...event });
  await peopleHooks.on.passwordChanged(tx, account.id);
  const key = `changed-${newId(clock.now())}`;
  await enqueue(tx, sendPasswordChangedTask, { email: account.email, key });
}

/**
 * Verifies an address by the first proof of its mailbox (ADR 364), and removes what a stranger may have set
 * up before, unless the link was followed in a session of the account. Idempotent.
 * @returns a password reset token if everything was removed
 * @throws AuthFailure auth/invalid-action-code if the address changed
 */
export async function confirmMailbox(
  tx: Tx,
  scope: ClockScope,
  account: { id: string; email: string },
  isSignedIn: boolean,
): Promise<{ resetToken?: string }> {
  await lockAgainstSessions(tx, account.id);
  const first = await confirmAccountEmail(tx, scope, account);
  const owner = first ? account : await findAccountByEmail(tx, account.email);
  if (owner?.id !== account.id) throw new AuthFailure('auth/invalid-action-code');
  // Mail may go to the address again, even if it was verified before.
  await peopleHooks.on.addressConfirmed(tx, account.email);
  if (!first || isSignedIn) return {};
  await endSessions(tx, account.id);
  await deleteSignInSince(tx, account.id, new Date(0));
  await peopleHooks.on.passwordChanged(tx, account.id);
  return { resetToken: await newResetToken(tx, scope, account.id) };
}

/** Returns the second factors that an account has set up; empty if it needs none. */
export async function secondFactorsOf(db: Db, accountId: string): Promise<SecondFactor[]> {
  const row = await findSecondStep(db, accountId);
  return [...(row?.on ? (['code'] as const) : []), ...(row?.hasPasskey ? (['passkey'] as const) : [])];
}

/** A password must not be enough to replace an operator's second factors (ADR 181). */
export async function mustConfirmAsOperator(
  db: Db,
  { clock }: ClockScope,
  current: { accountId: string; sessionId: string },
): Promise<boolean> {
  const session = await findSession(db, current.sessionId, clock.now());
  return session?.operatorAway === true && (await secondFactorsOf(db, current.accountId)).length > 0;
}

/** Sessions confirmed by a removed passkey must confirm again. */
export const endPasskeyChecks = (tx: Tx, accountId: string): Promise<void> =>
  deleteSecondFactorChecks(tx, accountId, ['passkey']);

/** Adds a failed attempt to the account's history; no-op for an unknown address. */
export async function logFailedSignIn(
  db: Db,
  scope: ClockScope,
  email: string,
  userAgent: string,
): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (!account) return;
  await db
    .transaction()
    .execute((tx) => recordSignIn(tx, scope, { accountId: account.id, kind: 'failed', userAgent }));
}

/** A single-use token, valid for an hour, for someone who proved the mailbox. */
export async function newResetToken(tx: Tx, { clock }: ClockScope, accountId: string): Promise<string> {
  const now = clock.now();
  const token = randomBytes(resetTokenBytes).toString('base64url');
  await insertVerification(tx, {
    id: newId(now),
    identifier: hashIdentifier(resetIdentifier(token)),
    value: accountId,
    expiresAt: addMs(now, resetLinkSeconds * 1_000),
    now,
  });
  return token;
}

/** Returns the account of a valid, unused link for a new password. */
export const accountOfResetToken = (db: Db, { clock }: ClockScope, token: string) =>
  findPendingStep(db, hashIdentifier(resetIdentifier(token)), clock.now());

/**
 * Creates an account with a password and without mail, for the demo town.
 * @returns its id
 */
export async function openAccount(
  tx: Tx,
  scope: ClockScope,
  input: { email: string; name: string; passwordHash: string; emailVerified: boolean },
): Promise<string> {
  const now = scope.clock.now();
  const { passwordHash, ...facts } = input;
  const id = await addAccount(tx, scope, facts);
  await upsertPassword(tx, { id: newId(now), accountId: id, passwordHash, now });
  return id;
}

/** Restores a password from another provider, in the form of `firebaseHash`; null removes it. */
export async function restorePassword(
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  passwordHash: string | null,
): Promise<void> {
  if (passwordHash === null) return deletePassword(tx, accountId);
  const now = clock.now();
  await upsertPassword(tx, { id: newId(now), accountId, passwordHash, now });
}

/**
 * Restores a social identity from another provider.
 * @returns false if it belongs to someone else
 */
export function restoreSocial(
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  identity: { provider: 'google' | 'facebook' | 'apple'; subject: string },
): Promise<boolean> {
  const now = clock.now();
  return insertSocial(tx, { id: newId(now), accountId, ...identity, now });
}

/** Records that the session has just proved its password, for changes that require it. */
export const recordPasswordProof = (db: Db, { clock }: ClockScope, sessionId: string): Promise<void> =>
  insertPasswordCheck(db, sessionId, clock.now());

/** A passkey counts as the password entered again (ADR 169) and as the second factor (ADR 181). */
export async function recordPasskeyProof(
  db: Db,
  { actor, clock }: Pick<Scope, 'actor' | 'clock'>,
): Promise<void> {
  await insertPasswordCheck(db, actor.sessionId, clock.now());
  await recordSecondFactor(db, { clock }, actor.sessionId, 'passkey');
}

/**
 * Requires a check within the last minutes: the password or a passkey, or a second factor.
 * @throws session/password-required, operator/confirm-again
 */
export async function requireRecentCheck(
  db: Db,
  { actor, clock }: Pick<Scope, 'actor' | 'clock'>,
  check: 'password' | 'second-factor',
  minutes: number,
): Promise<void> {
  const find = check === 'password' ? findPasswordCheck : findSecondFactorCheck;
  const at = await find(db, actor.sessionId);
  if (at === null || at.getTime() < clock.now().getTime() - minutes * minuteMs)
    throw new AppError(check === 'password' ? 'session/password-required' : 'operator/confirm-again');
}

/** Records how the session proved its second step, for operators' access. */
export const recordSecondFactor = (
  db: Db,
  { clock }: ClockScope,
  sessionId: string,
  method: SecondFactorMethod,
): Promise<void> => upsertSecondFactorCheck(db, sessionId, method, clock.now());

/**
 * Records operator activity (ADR 181).
 * @throws operator/confirm-again after a pause, or some hours after the last confirmation
 */
export async function recordOperatorCall(db: Db, { clock }: ClockScope, sessionId: string): Promise<void> {
  if (!(await touchSecondFactorCheck(db, sessionId, clock.now())))
    throw new AppError('operator/confirm-again');
}

type Prover = ClockConfigScope & { actor: { sessionId: string } };

/**
 * Returns whether the person proved their identity recently. Signing in again counts for an account without
 * password and passkey.
 */
export async function hasRecentProof(db: Db, { actor, clock, config }: Prover): Promise<boolean> {
  const since = clock.now().getTime() - passkeyLimits.proofMinutes * minuteMs;
  const proof = await findProof(db, actor.sessionId, config.IDENTITY_PROVIDER !== 'built-in');
  const at = proof?.confirmedAt ?? (proof?.canConfirm ? null : proof?.signedInAt);
  return at !== null && at !== undefined && at.getTime() >= since;
}

/**
 * Requires a recent proof before a guarded write, in case the session was stolen.
 * @throws session/password-required
 */
export async function requireRecentProof(db: Db, prover: Prover): Promise<void> {
  if (!(await hasRecentProof(db, prover))) throw new AppError('session/password-required');
}

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

/** A no-op if the password has changed. */
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

/** @returns false if the identity belongs to another account */
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

async function deletePassword(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('accountId', '=', accountId)
    .where('providerId', '=', 'credential')
    .execute();
}

async function deleteCredentials(tx: Tx, accountId: string, addedSince: Date): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('accountId', '=', accountId)
    .where(({ eb, or }) => or([eb('providerId', '=', 'credential'), eb('createdAt', '>=', addedSince)]))
    .execute();
}

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

/** Blocks inserts of the account's sessions by their foreign key. */
async function lockAgainstSessions(tx: Tx, accountId: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}
