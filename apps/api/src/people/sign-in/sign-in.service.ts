import { randomBytes } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import type { SecondStep, SignInOptions } from '@nearhand/contract/people/sign-in';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { showsMailbox } from '../../platform/http/dev-mailbox.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { addAccount, markAccountDisabled } from '../accounts/accounts.service.ts';
import { endAllSessions, recordSignIn } from '../sessions/sessions.service.ts';
import { hashIdentifier, resetIdentifier, resetLinkSeconds } from './mail-links.ts';
import {
  deleteCredentials,
  deleteLinksOf,
  deleteSecondStepSince,
  deleteSignIn,
  findAccountByEmail,
  findPasswordCheck,
  findSecondStep,
  insertPassword,
  insertVerification,
} from './sign-in.sql.ts';
import { socialOptions } from './social.ts';

const resetTokenBytes = 24;

/** Which sign-in methods are configured, and where development mail can be read. Public. */
export async function signInOptions(_db: Db, { config }: Scope<Actor | null>): Promise<SignInOptions> {
  return {
    provider: 'built-in',
    ...socialOptions(config),
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
 * Removes the password, and every other way to sign in and second step that were added since a time, for an account that someone else had (ADR 157). The
 * caller ends its sessions.
 */
export async function forgetSignInSince(tx: Tx, accountId: string, since: Date): Promise<void> {
  await deleteCredentials(tx, accountId, since);
  await deleteSecondStepSince(tx, accountId, since);
  await deleteLinksOf(tx, accountId);
}

/** Whether the caller's sign-in asks for a second step, and whether they have the password to change that. */
export async function secondStep(db: Db, { actor }: Scope): Promise<SecondStep> {
  const row = await findSecondStep(db, actor.accountId);
  return { on: row?.on ?? false, hasPassword: Boolean(row?.hasPassword) };
}

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
  await insertPassword(tx, { id: newId(now), accountId: id, passwordHash, now });
  return id;
}

/**
 * For what asks for the password again: requires that it was entered in this session within the last minutes (`/verify-password`).
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
