import { randomUUID } from 'node:crypto';
import { limits } from '@nearhand/contract/limits';
import { jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor } from '../../platform/http/scope.ts';
import { findSession } from './accounts.sql.ts';

const keyOf = (secret: string) => new TextEncoder().encode(`access token ${secret}`);
const audience = 'nearhand-api';

/**
 * A short-lived access token for a session (spec §3: kept in local storage). It names the session only; whether that still counts is asked of the
 * database at most every `limits.sessionRecheckMs`, so a sign-out ends it within 5 seconds everywhere.
 */
export async function signAccessToken(
  secret: string,
  clock: Clock,
  session: { sessionId: string; accountId: string },
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000);
  return (
    new SignJWT({ sid: session.sessionId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(session.accountId)
      // Two tokens of one second must differ: what is known of the older one may be out of date.
      .setJti(randomUUID())
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + limits.accessTokenMinutes * 60)
      .sign(keyOf(secret))
  );
}

type Known = { actor: Actor | null; tokenEndsAt: number; checkedAt: number };

/**
 * Reads bearer tokens. Each server process keeps what it learnt of a token for `limits.sessionRecheckMs` and then asks the database again.
 */
export function createAuthenticator(secret: string, db: Db, clock: Clock) {
  const key = keyOf(secret);
  const known = new Map<string, Known>();

  async function read(token: string, now: Date): Promise<Known> {
    const expired = { actor: null, tokenEndsAt: 0, checkedAt: now.getTime() };
    let payload: { sub?: string | undefined; exp?: number | undefined; sid?: unknown };
    try {
      ({ payload } = await jwtVerify(token, key, { audience, algorithms: ['HS256'], currentDate: now }));
    } catch {
      return expired;
    }
    if (typeof payload.sid !== 'string' || payload.sub === undefined) return expired;
    const session = await findSession(db, payload.sid, now);
    if (!session || session.accountId !== payload.sub) return expired;
    return {
      actor: { ...session, sessionId: payload.sid },
      tokenEndsAt: (payload.exp ?? 0) * 1000,
      checkedAt: now.getTime(),
    };
  }

  return {
    /** @throws session/expired for a token that is unreadable, out of time or of an ended session */
    async authenticate(authorization: string | undefined): Promise<Actor | null> {
      if (authorization === undefined) return null;
      const token = /^Bearer ([\w.-]{20,2000})$/.exec(authorization)?.[1];
      if (token === undefined) throw new AppError('session/expired');
      const now = clock.now();
      let entry = known.get(token);
      if (!entry || Math.abs(now.getTime() - entry.checkedAt) > limits.sessionRecheckMs) {
        entry = await read(token, now);
        if (known.size >= 50_000) known.clear();
        if (entry.actor) known.set(token, entry);
        else known.delete(token);
      }
      if (!entry.actor || entry.tokenEndsAt <= now.getTime()) throw new AppError('session/expired');
      return entry.actor;
    },
  };
}
