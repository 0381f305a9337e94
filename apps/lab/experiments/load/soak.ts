import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { callerAt, makeWriter, writeJobs } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom, quantile } from './options.ts';

const sampleMs = 5_000;

/** A connection more or less is no leak. */
const moreFiles = 2;

export type Sample = { minute: number; mb: number; files: number };
/** What a server used over time, and how many transactions were idle for long. */
export type Soak = { samples: readonly Sample[]; idle: number };

/** Growth of memory over the second half, in MB a minute, and of open files from the second quarter to the last. */
export function growthOf(samples: readonly Sample[]) {
  const quarter = (n: number) =>
    samples.slice(Math.floor((samples.length * n) / 4), Math.floor((samples.length * (n + 1)) / 4));
  const half = samples.slice(Math.floor(samples.length / 2));
  const filesIn = (some: readonly Sample[]) =>
    quantile(
      some.map(({ files }) => files),
      0.5,
    );
  return {
    mbPerMinute: slope(half.map(({ minute, mb }) => [minute, mb])),
    files: filesIn(quarter(3)) - filesIn(quarter(1)),
  };
}

/** What is not as it must be. */
export function soakFaults({ samples, idle }: Soak): string[] {
  const { mbPerMinute, files } = growthOf(samples);
  return [
    mbPerMinute >= 1 && `memory grew by ${mbPerMinute.toFixed(1)} MB a minute`,
    files > moreFiles && `${files} more open files`,
    idle > 0 && `${idle} transactions idle for over 5 s`,
  ].filter((fault) => fault !== false);
}

/**
 * `npm run experiments -- soak [--minutes 30]`: a server under steady calls. Over the second half its memory grows by less than 1 MB a minute, from
 * the second quarter to the last it opens at most two more files, and no transaction stays open. The controls leak 20 kB a statement, and a
 * file a second: both must be found, and each by its own figure.
 */
export async function soak(say: (line: string) => void): Promise<boolean> {
  const { minutes } = numbersFrom({ minutes: 30 });
  const faults = soakFaults(await steady(minutes, say, undefined));
  const leak = soakFaults(await steady(Math.min(minutes, 3), say, 'leak'));
  const openFiles = soakFaults(await steady(Math.min(minutes, 3), say, 'open-files'));
  const found = leak.join().includes('memory') && openFiles.join().includes('files');
  const right = faults.length === 0 && found;
  say(
    `soak: ${right ? 'as it must be' : `NOT as it must be: ${faults.join('; ') || 'a control found nothing'}`}`,
  );
  return right;
}

async function steady(
  minutes: number,
  say: (line: string) => void,
  sabotage: string | undefined,
): Promise<Soak> {
  const samples: Sample[] = [];
  let idle = 0;
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
      const { mbPerMinute, files } = growthOf(samples);
      say(
        `soak${sabotage ? `, negative control ${sabotage}` : ''}: ${minutes} minutes, ${writes.acknowledged.size} writes; memory ${samples[0]?.mb.toFixed(0)} to ${samples.at(-1)?.mb.toFixed(0)} MB, in the second half ${mbPerMinute.toFixed(2)} MB a minute; open files ${samples[0]?.files} to ${samples.at(-1)?.files}, ${files} more in the last quarter than in the second; ${idle} transactions idle for over 5 s`,
      );
    } finally {
      await server.kill();
      await services.close();
    }
  });
  return { samples, idle };
}

/** The slope of the line closest to the points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
