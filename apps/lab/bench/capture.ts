import { createApp } from '@nearhand/api/src/app.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.service.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import type { Config } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import type { BenchRequest } from './cases.ts';

export type Statement = { text: string; values: unknown[] };

/**
 * Our server in this process, on one connection that records every statement, for the bare server to replay. Session lookups are left out,
 * since the bare server has none.
 */
export async function startCapture(url: string, config: Config, secret: string) {
  const database = openPool(url, 1, () => {});
  let received: Statement[] = [];
  let times = 0;
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const [first, second] = given;
      const text = typeof first === 'string' ? first : String((first as { text: string }).text);
      const values = (Array.isArray(second) ? second : (first as { values?: unknown[] }).values) ?? [];
      received.push({ text, values: [...values] });
      const begun = performance.now();
      const answer = query(...given);
      // A callback instead of a promise is the pool checking a connection, not a statement of ours.
      return answer instanceof Promise
        ? answer.finally(() => {
            times += performance.now() - begun;
          })
        : answer;
    }) as typeof client.query;
  });
  const log = createLog({ LOG_LEVEL: 'silent' });
  const provider = createSandbox({ db: database.db, clock: systemClock, secret, config, log });
  const app = await createApp({
    config,
    secret,
    log,
    provider,
    db: database.db,
    clock: systemClock,
    mailer: { send: async () => {} },
    fileStore: {
      put: async () => {},
      get: async () => null,
      putFile: async () => {},
      open: async () => null,
      remove: async () => {},
      sweep: async () => {},
      space: async () => null,
    },
    webFolder: null,
  });
  await app.ready();
  return {
    /** The response, its statements and their milliseconds, measured here. */
    async run(request: BenchRequest): Promise<{ body: string; statements: Statement[]; ms: number }> {
      received = [];
      times = 0;
      const response = await app.inject({
        method: request.method,
        url: request.path,
        headers: {
          authorization: `Bearer ${request.token}`,
          ...(request.key ? { 'idempotency-key': request.key, 'content-type': 'application/json' } : {}),
        },
        ...(request.body === undefined ? {} : { payload: request.body }),
      });
      if (response.statusCode >= 300)
        throw new Error(`${request.method} ${request.path}: ${response.statusCode} ${response.body}`);
      const statements = received.filter((statement) => !statement.text.includes('from "sessions"'));
      return { body: response.body, statements, ms: times };
    },
    async stop() {
      await app.close();
      await database.close();
    },
  };
}
