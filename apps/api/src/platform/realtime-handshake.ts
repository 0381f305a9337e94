import { AppError } from './app-error.ts';
import type { Config } from './config.ts';
import { isLoopback } from './config-shapes.ts';
import type { Actor } from './http/scope.ts';

/** Capacitor's own pages, on iOS and on Android. */
const nativeOrigins = ['capacitor://localhost', 'https://localhost'];

/**
 * Whether a page of this origin may open a socket. Browsers let any page try, so this is for the server to ask; the token in the handshake is no cookie and another site's page has
 * none, but it would not be told why. Without an origin it is no browser's page. Outside production every page of this machine may: the web's own server has a port of its own.
 */
export function isOwnOrigin(
  origin: string | undefined,
  { PUBLIC_URL, NODE_ENV }: Pick<Config, 'PUBLIC_URL' | 'NODE_ENV'>,
): boolean {
  if (origin === undefined || nativeOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  return (
    new URL(origin).origin === new URL(PUBLIC_URL).origin || (NODE_ENV !== 'production' && isLoopback(origin))
  );
}

/**
 * Who opens a socket.
 * @throws session/required, session/expired, session/email-not-verified
 */
export async function readHandshake(
  auth: unknown,
  authenticate: (authorization: string | undefined) => Promise<Actor | null>,
): Promise<Actor> {
  const token = (auth as { token?: unknown } | null | undefined)?.token;
  if (typeof token !== 'string' || token === '') throw new AppError('session/required');
  const actor = await authenticate(`Bearer ${token}`);
  if (!actor) throw new AppError('session/required');
  if (!actor.emailVerified) throw new AppError('session/email-not-verified');
  return actor;
}

/** Handshakes that ask the database at the same time: a fleet that comes back at once must leave connections to those who work. */
const atOnce = 3;
/** Handshakes that wait for it; whoever comes beyond is told to come again. */
const maxWaiting = 5_000;

/** Lets a few through at a time, in the order in which they came. */
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
