import type pg from 'pg';

/**
 * The pool for the queue. The queue records a task's result without awaiting it: whatever PostgreSQL says, the rejection would be unhandled
 * and end the server. The queue does retry timeouts, so every error is reported as one; recording twice is idempotent (ADR 57; docs/operations.md, Database connections).
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

function asTimeout(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
