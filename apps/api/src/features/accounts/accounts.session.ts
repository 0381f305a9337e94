import { randomUUID } from 'node:crypto';
import { limits } from '@nearhand/contract/limits';
import { jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor } from '../../platform/http/scope.ts';
import { findEndedSessions, findSession } from './accounts.sql.ts';

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

/** Tokens to remember; those that ended apart, so that no flood of them pushes out the ones that count. */
const roomFor = { running: 50_000, ended: 10_000 };

/**
 * Reads bearer tokens. Each server process keeps what it learnt of a token for `limits.sessionRecheckMs` and then asks the database again, also of one
 * whose session has ended: an app that goes on asking with it costs a query now and then, not every time. What is no token of ours or out of
 * time is told by its signature and its hour alone.
 */
export function createAuthenticator(secret: string, db: Db, clock: Clock, room = roomFor) {
  const key = keyOf(secret);
  const known = new Map<string, Known>();
  const ended = new Map<string, Known>();

  /** @returns null for what never was a token of ours, or is one no more */
  async function read(token: string, now: Date): Promise<Known | null> {
    let payload: { sub?: string | undefined; exp?: number | undefined; sid?: unknown };
    try {
      ({ payload } = await jwtVerify(token, key, { audience, algorithms: ['HS256'], currentDate: now }));
    } catch {
      return null;
    }
    if (typeof payload.sid !== 'string' || payload.sub === undefined) return null;
    const session = await findSession(db, payload.sid, now);
    return {
      actor: session?.accountId === payload.sub ? { ...session, sessionId: payload.sid } : null,
      tokenEndsAt: (payload.exp ?? 0) * 1000,
      checkedAt: now.getTime(),
    };
  }

  /** Keeps what was learnt; a full store is emptied, and at worst the database is asked once more of each. */
  function keep(token: string, entry: Known | null): void {
    known.delete(token);
    ended.delete(token);
    if (!entry) return;
    const [store, most] = entry.actor ? [known, room.running] : [ended, room.ended];
    if (store.size >= most) store.clear();
    store.set(token, entry);
  }

  return {
    /** @throws session/expired for a token that is unreadable, out of time or of an ended session */
    async authenticate(authorization: string | undefined): Promise<Actor | null> {
      if (authorization === undefined) return null;
      const token = /^Bearer ([\w.-]{20,2000})$/.exec(authorization)?.[1];
      if (token === undefined) throw new AppError('session/expired');
      const now = clock.now();
      let entry: Known | null = known.get(token) ?? ended.get(token) ?? null;
      if (!entry || Math.abs(now.getTime() - entry.checkedAt) > limits.sessionRecheckMs) {
        entry = await read(token, now);
        keep(token, entry);
      }
      if (!entry?.actor || entry.tokenEndsAt <= now.getTime()) throw new AppError('session/expired');
      return entry.actor;
    },
  };
}

/** For real time: which of these sessions do not count any more. */
export const endedSessions = (db: Db, clock: Clock, sessionIds: readonly string[]): Promise<string[]> =>
  findEndedSessions(db, sessionIds, clock.now());
