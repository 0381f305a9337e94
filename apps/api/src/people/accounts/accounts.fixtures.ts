import { addMs, dayMs } from '@nearhand/contract/durations';
import { hashPassword } from 'better-auth/crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { signAccessToken } from '../sign-in/access-tokens.ts';
import { openAccount } from '../sign-in/credentials.ts';

/**
 * Creates an account with a session but no password.
 * @returns its id and a bearer token
 */
export async function makeAccount(
  db: Db,
  clock: Clock,
  secret: string,
  options: { name?: string; email?: string; verified?: boolean } = {},
) {
  const now = clock.now();
  const accountId = newId(now);
  const sessionId = newId(now);
  const email = options.email ?? `${accountId}@example.test`;
  await db
    .insertInto('accounts')
    .values({
      id: accountId,
      name: options.name ?? 'Leila Haddad',
      email,
      emailVerified: options.verified ?? true,
    })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      accountId,
      tokenHash: newId(now),
      // Sessions outlast clock moves. Tests of recent sign-in set the time with `signedInEarlier`.
      createdAt: addMs(now, 365 * dayMs),
      expiresAt: addMs(now, 365 * dayMs),
    })
    .execute();
  return {
    accountId,
    sessionId,
    email,
    token: await signAccessToken(secret, clock, { sessionId, accountId }),
  };
}

const hashes = new Map<string, Promise<string>>();

/** Creates an account with a real password. Hashing takes 0.1 s, so a run shares a hash per password. */
export async function signUpAccount(
  db: Db,
  clock: Clock,
  options: { email: string; name: string; password: string; emailVerified?: boolean },
): Promise<string> {
  const { password, ...facts } = options;
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  const passwordHash = await hash;
  return db
    .transaction()
    .execute((tx) => openAccount(tx, { clock }, { emailVerified: true, ...facts, passwordHash }));
}
