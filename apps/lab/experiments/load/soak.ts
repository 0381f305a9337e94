import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { callerAt, makeWriter, writeJobs } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom } from './options.ts';

const sampleMs = 5_000;

/**
 * `npm run experiments -- soak [--minutes 30]`: a server under steady calls. Over the second half its memory grows by less than 1 MB a minute, its
 * open files by none, and no transaction stays open. The control leaks 20 kB a statement: it must be found.
 */
export async function soak(say: (line: string) => void): Promise<boolean> {
  const { minutes } = numbersFrom({ minutes: 30 });
  const real = await steady(minutes, say, undefined);
  const control = await steady(Math.min(minutes, 3), say, 'leak');
  const right = real && !control;
  say(`soak: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function steady(minutes: number, say: (line: string) => void, sabotage: string | undefined) {
  let fine = false;
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const server = await serverProcess({ databaseUrl: url, sabotage });
    try {
      await server.start();
      const { token, businessId } = await makeWriter(services);
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
      const writes = writeJobs(caller, businessId, { clients: 2, pauseMs: 100 });
      let over = false;
      const reads = (async () => {
        for (; !over; await wait(20)) await caller.call('GET', '/api/jobs/nearby?lat=52.37&lng=4.89');
      })();
      const samples: { minute: number; mb: number; files: number }[] = [];
      let idle = 0;
      const started = performance.now();
      for (let minute = 0; minute < minutes; ) {
        await wait(sampleMs);
        minute = (performance.now() - started) / 60_000;
        const pid = server.pid();
        const rss = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
        const files = (await readdir(`/proc/${pid}/fd`)).length;
        samples.push({ minute, mb: Number(rss) / 1_024, files });
        const { rows } = await services.pool.query(
          `select count(*)::int from pg_stat_activity where state like 'idle in transaction%' and now() - state_change > interval '5 seconds'`,
        );
        idle = Math.max(idle, rows[0].count);
      }
      over = true;
      await Promise.all([writes.stop(), reads]);
      caller.close();
      const half = samples.slice(Math.floor(samples.length / 2));
      const mbPerMinute = slope(half.map(({ minute, mb }) => [minute, mb]));
      const filesPerMinute = slope(half.map(({ minute, files }) => [minute, files]));
      say(
        `soak${sabotage ? `, negative control ${sabotage}` : ''}: ${minutes} minutes, ${writes.acknowledged.size} writes; memory ${samples[0]?.mb.toFixed(0)} to ${samples.at(-1)?.mb.toFixed(0)} MB, in the second half ${mbPerMinute.toFixed(2)} MB a minute; open files ${half[0]?.files} to ${half.at(-1)?.files}; ${idle} transactions idle for over 5 s`,
      );
      fine = mbPerMinute < 1 && filesPerMinute < 1 && idle === 0;
    } finally {
      await server.kill();
      await services.close();
    }
  });
  return fine;
}

/** The slope of the line closest to the points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
