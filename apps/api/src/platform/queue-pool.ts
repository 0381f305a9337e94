import pg from 'pg';

/**
 * The pool as the queue gets it. The queue notes that a task is done, or that it failed, without waiting for it: where PostgreSQL is away just then, or has no connection
 * free, the refusal would be nobody's and end the whole server. It does ask again when an error says that it came for want of time, so that is how a lost
 * connection is told here; noting it twice is noting it once (ADR 0084).
 */
export function queuePool(pool: pg.Pool): pg.Pool {
  return standIn(pool, {
    connect: (...waiting: Parameters<pg.Pool['connect']>) =>
      waiting.length > 0
        ? pool.connect(...waiting)
        : pool.connect().then(
            (client) => standIn(client, { query: retryingQuery(client) }),
            (error) => Promise.reject(asTimeout(error)),
          ),
  });
}

type AnyCall = (...values: never[]) => unknown;

const retryingQuery =
  (client: pg.PoolClient) =>
  (...values: unknown[]) => {
    const answer: unknown = (client.query as (...values: unknown[]) => unknown)(...values);
    return answer instanceof Promise ? answer.catch((error) => Promise.reject(asTimeout(error))) : answer;
  };

/** The same thing but for some of what it does. */
function standIn<Target extends object>(target: Target, own: Record<string, AnyCall>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const mine = typeof name === 'string' ? own[name] : undefined;
      const value = mine ?? Reflect.get(target, name, target);
      return typeof value === 'function' && !mine ? value.bind(target) : value;
    },
  });
}

/** Also what was cut off because it took too long. */
const goingDown = /^(57P0[1-3]|57014|25P03|08...)$/;

/** What PostgreSQL says to a statement is an answer; everything else is that there was none. */
function asTimeout(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !goingDown.test(error.code ?? '')) return error;
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
