import { createApp } from '@nearhand/api/src/app.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import type { Config } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import type { BenchRequest } from './cases.ts';

export async function startCapture(url: string, config: Config, secret: string) {
  const database = openPool(url, 1, () => {});
  let times = 0;
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const begun = performance.now();
      const answer = query(...given);
      // A callback instead of a promise is the pool checking a connection.
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
    async run(request: BenchRequest): Promise<{ body: string; ms: number }> {
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
      return { body: response.body, ms: times };
    },
    async stop() {
      await app.close();
      await database.close();
    },
  };
}
