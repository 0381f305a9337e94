import { minuteMs } from '@nearhand/contract/durations';
import type { SignInOptions } from '@nearhand/contract/people/sign-in';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { showsMailbox } from '../../platform/http/dev-mailbox.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { addAccount, markAccountDisabled } from '../accounts/accounts.service.ts';
import { deleteSessions, findPasswordCheck, insertPassword } from './sign-in.sql.ts';
import { socialOptions } from './social.ts';

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
  await deleteSessions(tx, accountId);
}

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
