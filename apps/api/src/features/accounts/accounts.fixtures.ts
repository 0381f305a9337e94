import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { signAccessToken } from './accounts.session.ts';

/**
 * An account with a session, made without a password: for tests that are about something else than signing in.
 * @returns the account's id and a bearer token
 */
export async function makeAccount(
  db: Db,
  clock: Clock,
  secret: string,
  wishes: { name?: string; email?: string; verified?: boolean } = {},
) {
  const now = clock.now();
  const accountId = newId(now);
  const sessionId = newId(now);
  const email = wishes.email ?? `${accountId}@example.test`;
  await db
    .insertInto('accounts')
    .values({
      id: accountId,
      name: wishes.name ?? 'Leila Haddad',
      email,
      email_verified: wishes.verified ?? true,
    })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      account_id: accountId,
      token: newId(now),
      expires_at: new Date(now.getTime() + 365 * 86_400_000),
    })
    .execute();
  return {
    accountId,
    sessionId,
    email,
    token: await signAccessToken(secret, clock, { sessionId, accountId }),
  };
}
