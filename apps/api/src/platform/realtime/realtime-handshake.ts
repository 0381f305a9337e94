import { decodeJwt } from 'jose';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/config-shapes.ts';
import type { Actor } from '../http/scope.ts';

/**
 * Whether a page of this origin may open a socket. Browsers don't enforce it for sockets, so the server checks; other sites have no token,
 * but would not be told why. Without an origin it is no browser. Outside production every local page may: the web dev server has its own
 * port.
 */
export function isOwnOrigin(
  origin: string | undefined,
  { PUBLIC_URL, NODE_ENV, NATIVE_ORIGINS }: Pick<Config, 'PUBLIC_URL' | 'NODE_ENV' | 'NATIVE_ORIGINS'>,
): boolean {
  if (origin === undefined || NATIVE_ORIGINS.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  return (
    new URL(origin).origin === new URL(PUBLIC_URL).origin || (NODE_ENV !== 'production' && isLoopback(origin))
  );
}

/**
 * Authenticates a socket's handshake: who opens it, and when their token ends.
 * @throws session/required, session/expired, session/email-not-verified
 */
export async function readHandshake(
  auth: unknown,
  authenticate: (authorization: string | undefined) => Promise<Actor | null>,
): Promise<{ actor: Actor; tokenEndsAt: number }> {
  const token = (auth as { token?: unknown } | null | undefined)?.token;
  if (typeof token !== 'string' || token === '') throw new AppError('session/required');
  const actor = await authenticate(`Bearer ${token}`);
  if (!actor) throw new AppError('session/required');
  if (!actor.emailVerified) throw new AppError('session/email-not-verified');
  return { actor, tokenEndsAt: (decodeJwt(token).exp ?? 0) * 1_000 };
}

/** Concurrent handshakes that query the database: a reconnecting fleet must leave connections to active users. */
const atOnce = 3;
/** Handshakes in the queue; beyond that clients are told to retry. */
const maxWaiting = 5_000;

/** Lets a few through at a time, first come, first served. */
export function createDoor() {
  let inside = 0;
  const queue: (() => void)[] = [];
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (queue.length >= maxWaiting) throw new AppError('request/unavailable');
    if (inside >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else inside += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
