import { setTimeout as wait } from 'node:timers/promises';
import { createPgbouncer } from '@nearhand/api/src/platform/counterparts/pgbouncer.fixtures.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

/**
 * `npm run experiments -- pgbouncer`: a process behind PgBouncer in transaction mode is killed under writes and started again, five times, with
 * DATABASE_DIRECT_URL. It must always start, and nothing be lost, doubled or locked. The control calls the pooler's address the direct one, which
 * gets as far as that since this pooler accepts any time limit: the locks of the killed process survive on pooled connections, and its
 * replacement cannot start.
 */
export async function pgbouncer(say: (line: string) => void): Promise<boolean> {
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const { hostname, port, username, password } = new URL(url);
    const target = { host: hostname, port: Number(port), user: username };
    const pooler = await createPgbouncer({ ...target, password: decodeURIComponent(password) }, [
      'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
      'server_round_robin = 1',
    ]);
    const through = new URL(url);
    through.port = String(pooler.port);
    try {
      const real = await kills(through.href, url, say, 5);
      const control = await replacementStarts(through.href, url);
      say(
        `pgbouncer, negative control without a direct address: the replacement ${control ? 'started' : 'did not start'}`,
      );
      right = real && !control;
    } finally {
      await pooler.close();
    }
  });
  say(`pgbouncer: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function kills(through: string, direct: string, say: (line: string) => void, times: number) {
  const services = openServices(direct);
  const { token, businessId } = await makeWriter(services);
  const server = await serverProcess({
    databaseUrl: through,
    keysUrl: direct,
    settings: { DATABASE_DIRECT_URL: direct },
  });
  await server.start();
  const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
  const stream = writeJobs(caller, businessId);
  try {
    const startMs: number[] = [];
    for (let kill = 0; kill < times; kill += 1) {
      await wait(2_000);
      await server.kill();
      const at = performance.now();
      await server.start();
      startMs.push(performance.now() - at);
    }
    await wait(1_000);
    await stream.stop();
    const { lost, doubled } = await compareJobs(services, stream);
    say(
      `pgbouncer: ${times} kills; ${answersText(stream)}; ready again after ${(Math.max(...startMs) / 1_000).toFixed(1)} s at most; ${lost} lost, ${doubled} doubled`,
    );
    return lost + doubled === 0 && stream.acknowledged.size > 0;
  } finally {
    await stream.stop();
    caller.close();
    await server.kill();
    await services.close();
  }
}

/** @throws if not even the first one starts: then nothing was shown */
async function replacementStarts(through: string, keysUrl: string): Promise<boolean> {
  const settings = { DATABASE_DIRECT_URL: through };
  const [first, second] = [
    await serverProcess({ databaseUrl: through, keysUrl, settings }),
    await serverProcess({ databaseUrl: through, keysUrl, settings }),
  ];
  try {
    await first.start();
    await first.kill();
    return await starts(second);
  } finally {
    await first.kill();
    await second.kill();
  }
}

const starts = (server: { start(): Promise<void> }) =>
  server.start().then(
    () => true,
    () => false,
  );
