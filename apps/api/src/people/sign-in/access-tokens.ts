import { randomUUID } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { SignJWT } from 'jose';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor } from '../../platform/http/scope.ts';
import { type Keys, keysOf } from '../../platform/sign.ts';
import { readJwt } from './rotation/jwt.ts';
import { findEndedSessions, findSession } from './sign-in.sql.ts';

const tokenKey = (secret: string) => new TextEncoder().encode(`access token ${secret}`);
const audience = 'nearhand-api';
/** Maximum clock difference between processes (`platform/process/clock-skew.ts`). */
const toleranceMs = minuteMs;

/** The session is rechecked at writes and every `peopleLimits.sessionRecheckMs`, so a sign-out takes 5 seconds. */
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
      // Tokens of the same second must differ, since the older one's cached state may be stale.
      .setJti(randomUUID())
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + peopleLimits.accessTokenMinutes * 60)
      .sign(tokenKey(secret))
  );
}

type Claims = { sessionId: string; accountId: string; endsAt: number };
type Known = { actor: Actor | null; claims: Claims; checkedAt: number };

/** Ended tokens have their own cache, so a flood of them can't evict valid ones. */
const roomFor = { running: 50_000, ended: 10_000 };

/** Caches results for `peopleLimits.sessionRecheckMs` (ADR 12). Foreign or expired tokens need no query. */
export function createAuthenticator(secret: Keys | string, db: Db, clock: Clock, room = roomFor) {
  const { secret: newest, others } = keysOf(secret);
  const keys = [newest, ...others].map(tokenKey);
  const cached = new Map<string, Known>();
  const endedTokens = new Map<string, Known>();
  const underWay = new Map<string, Promise<Known | null>>();

  /** @returns null for a token that isn't ours or has expired */
  async function readToken(token: string, now: Date): Promise<Claims | null> {
    const rules = {
      audience,
      algorithms: ['HS256'],
      currentDate: now,
      clockTolerance: toleranceMs / 1_000,
    };
    const payload = await readJwt(token, keys, rules).catch(() => null);
    if (typeof payload?.sid !== 'string' || payload.sub === undefined) return null;
    const endsAt = (payload.exp ?? 0) * 1000 + toleranceMs;
    return { sessionId: payload.sid, accountId: payload.sub, endsAt };
  }

  /** The signature of a known token is not verified again. */
  async function readActor(token: string, now: Date, before: Claims | undefined): Promise<Known | null> {
    const claims = before ?? (await readToken(token, now));
    if (!claims) return null;
    const { sessionId, accountId } = claims;
    const session = await findSession(db, sessionId, now);
    return {
      actor: session?.accountId === accountId ? { ...session, sessionId } : null,
      claims,
      checkedAt: now.getTime(),
    };
  }

  /** A full cache is cleared, which costs one query per token. */
  function cacheToken(token: string, entry: Known | null): void {
    cached.delete(token);
    endedTokens.delete(token);
    if (!entry) return;
    const [store, max] = entry.actor ? [cached, room.running] : [endedTokens, room.ended];
    if (store.size >= max) store.clear();
    store.set(token, entry);
  }

  /** Concurrent calls share one check, so they don't each hold a connection. */
  function check(token: string, now: Date, before: Claims | undefined): Promise<Known | null> {
    const running = underWay.get(token);
    if (running) return running;
    const started = readActor(token, now, before)
      .then((entry) => {
        cacheToken(token, entry);
        return entry;
      })
      .finally(() => underWay.delete(token));
    underWay.set(token, started);
    return started;
  }

  return {
    /**
     * At once for a session that was checked lately.
     * @param live for writes, so that an ended session can't add a passkey
     * @throws session/expired
     */
    authenticate(authorization: string | undefined, live = false): Actor | null | Promise<Actor | null> {
      if (authorization === undefined) return null;
      const token = /^Bearer ([\w.-]{20,2000})$/.exec(authorization)?.[1];
      if (token === undefined) throw new AppError('session/expired');
      const now = clock.now();
      const entry = cached.get(token) ?? endedTokens.get(token) ?? null;
      if (entry && entry.claims.endsAt <= now.getTime()) throw new AppError('session/expired');
      const oldest = live && entry?.actor ? -1 : peopleLimits.sessionRecheckMs;
      return entry && Math.abs(now.getTime() - entry.checkedAt) <= oldest
        ? requireActor(entry, now)
        : check(token, now, entry?.claims).then((checked) => requireActor(checked, now));
    },
  };
}

function requireActor(entry: Known | null, now: Date): Actor {
  if (!entry?.actor || entry.claims.endsAt <= now.getTime()) throw new AppError('session/expired');
  return entry.actor;
}

/** Returns the sessions among these that have ended, so that their sockets are closed. */
export const endedSessions = (db: Db, clock: Clock, sessionIds: readonly string[]): Promise<string[]> =>
  findEndedSessions(db, sessionIds, clock.now());
