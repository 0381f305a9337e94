import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { callerAt, makeWriter } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { quantile } from './options.ts';

const lockedMs = 30_000;
const clients = 60;

/**
 * `npm run experiments -- locked-table`: a table that every call needs is locked for 30 seconds while 60 clients ask, so that no connection is free.
 * Every call is answered with 503 within 7 s, the event loop stays free (p99 under 100 ms), and calls succeed within 5 s of the unlocking. The
 * control waits for connections for ever: calls take as long as the lock.
 */
export async function lockedTable(say: (line: string) => void): Promise<boolean> {
  const real = await locked(say, undefined);
  const control = await locked(say, 'no-answer-limits');
  const right = real && !control;
  say(`locked-table: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function locked(say: (line: string) => void, sabotage: string | undefined): Promise<boolean> {
  let fine = false;
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const server = await serverProcess({ databaseUrl: url, sabotage });
    const locker = new pg.Client(url);
    try {
      await server.start();
      const { token } = await makeWriter(services);
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token, 60_000);
      const ask = () => caller.call('GET', '/api/jobs/nearby?lat=52.37&lng=4.89');
      await locker.connect();
      await locker.query('begin; lock table jobs in access exclusive mode');
      const answers: { code: string; ms: number }[] = [];
      const until = performance.now() + lockedMs;
      const lags: number[] = [];
      const asking = Array.from({ length: clients }, async () => {
        while (performance.now() < until - 1_000) answers.push(await ask());
      });
      while (performance.now() < until) {
        await wait(2_000);
        lags.push(await lagOf(server.url));
      }
      await locker.query('commit');
      const at = performance.now();
      while ((await ask()).code !== 'ok') await wait(50);
      const backMs = performance.now() - at;
      await Promise.all(asking);
      const counts = new Map<string, number>();
      for (const { code } of answers) counts.set(code, (counts.get(code) ?? 0) + 1);
      const slow = quantile(
        answers.map(({ ms }) => ms),
        0.99,
      );
      const lag = Math.max(...lags);
      say(
        `locked-table${sabotage ? `, negative control ${sabotage}` : ''}: ${[...counts].map(([code, times]) => `${times} ${code}`).join(', ')}; p99 ${(slow / 1_000).toFixed(1)} s; event loop p99 ${Math.round(lag)} ms; answered ${(backMs / 1_000).toFixed(1)} s after the unlocking`,
      );
      // The first ten hold the connections until their statement ends; the others are told at once that none is free.
      const waiting = answers.filter(({ code }) => code !== 'ok' && code !== 'request/unavailable').length;
      const held = answers.filter(({ ms }) => ms > 7_000).length;
      fine = waiting === 0 && held <= 20 && lag < 100 && backMs < 5_000;
      caller.close();
    } finally {
      await locker.end();
      await server.kill();
      await services.close();
    }
  });
  return fine;
}

/** The event loop's delay at p99 since the last scrape, in milliseconds. */
async function lagOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  if (!Number.isFinite(Number(found)))
    throw new Error(`no delay of the event loop in: ${found} ${text.slice(0, 500)}`);
  return 1_000 * Number(found);
}
