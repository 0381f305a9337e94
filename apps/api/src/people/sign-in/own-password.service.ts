import { limits } from '@nearhand/contract/limits';
import { hashPassword } from 'better-auth/crypto';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { matchesHash, readFirebaseHash } from '../../platform/passwords/password-hashes.ts';
import { countPasswordTry } from './attempt-limits.ts';
import { replaceHash } from './credentials.sql.ts';
import { findPasswordHash } from './sign-in.sql.ts';

/** Whether an account signs in with a password. */
export const hasPassword = async (db: Db, accountId: string): Promise<boolean> =>
  (await findPasswordHash(db, accountId)) !== null;

/**
 * Checks the caller's own password for a step that needs it again. Counted by session. Slow on purpose, so never inside a
 * transaction.
 * @throws account/wrong-password, account/too-many-tries (data: retryAfterSeconds)
 */
export async function requirePassword(
  db: Db,
  { actor, clock, config }: Pick<Scope, 'actor' | 'clock' | 'config'>,
  password: string,
): Promise<void> {
  const hash = await findPasswordHash(db, actor.accountId);
  if (hash === null) throw new AppError('account/wrong-password');
  const retryAfterSeconds = await countPasswordTry(db, clock, config.SIGN_INS_PER_MINUTE, actor.sessionId);
  if (retryAfterSeconds !== null) throw new AppError('account/too-many-tries', { retryAfterSeconds });
  const possible = password !== '' && password.length <= limits.passwordMax;
  if (!possible || !(await matchesHash(config, { hash, password })))
    throw new AppError('account/wrong-password');
}

/** A password that came from Firebase, and was right just now, is hashed like ours from now on. */
export async function rehashAsOurs(db: Db, accountId: string, password: string): Promise<void> {
  const before = await findPasswordHash(db, accountId);
  if (before === null || !readFirebaseHash(before)) return;
  const after = await hashPassword(password);
  await db.transaction().execute((tx) => replaceHash(tx, accountId, { before, after }));
}
