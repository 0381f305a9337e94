import pg from 'pg';

/**
 * The pool for the queue. The queue records a task's result without awaiting it: if PostgreSQL is down or out of connections, the
 * rejection would be unhandled and end the server. The queue does retry timeouts, so lost connections are reported as one; recording twice
 * is idempotent (ADR 0084).
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

/** A proxy that overrides some methods. */
function standIn<Target extends object>(target: Target, own: Record<string, AnyCall>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const mine = typeof name === 'string' ? own[name] : undefined;
      const value = mine ?? Reflect.get(target, name, target);
      return typeof value === 'function' && !mine ? value.bind(target) : value;
    },
  });
}

/** Includes statements cancelled by a timeout. */
const goingDown = /^(57P0[1-3]|57014|25P03|08...)$/;

/** A PostgreSQL error is an answer; anything else means there was none. */
function asTimeout(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !goingDown.test(error.code ?? '')) return error;
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
