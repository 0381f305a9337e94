import { setTimeout as wait } from 'node:timers/promises';
import { findPostmaster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { cpuOf, cpuOfPostgres } from '../../bench/processes.ts';
import { type Answer, callerAt, makeWriter } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom, quantile } from './options.ts';

/** An answer after this long is too late for the person who waits. */
const inTimeMs = 2_000;

/** Rates are answers per second. */
export type Flood = {
  peak: number;
  /** Answered in time while twice as many calls arrived. */
  inTime: number;
  refused: number;
  refusedMs: number;
  /** Calls that failed in any other way than 503 `request/unavailable`, by code. */
  otherwise: Record<string, number>;
  /** Calls that had no answer when the last one should have been answered in time. */
  open: number;
  /** The rate ten seconds later. */
  after: number;
};

/** What is not as it must be. */
export function floodFaults({ peak, inTime, refusedMs, otherwise, open, after }: Flood): string[] {
  const others = Object.entries(otherwise).map(([code, times]) => `${times} ${code}`);
  return [
    inTime < 0.8 * peak && `${Math.round((100 * inTime) / peak)} % in time`,
    refusedMs >= 1_000 && `refusals took ${Math.round(refusedMs)} ms`,
    others.length > 0 && `other failures: ${others.join(', ')}`,
    open > 0 && `${open} calls were still open at the end`,
    after <= 0.8 * peak && `${Math.round(after)} a second afterwards`,
  ].filter((fault) => fault !== false);
}

/**
 * `npm run experiments -- overload [--seconds 60]`: calls arrive at twice the rate that the server can answer, whether it answers or not. At least
 * 80 % of its best rate is still answered, the others get 503 within a second, none is left open, and ten seconds later all is as before. The
 * control lets everything wait: less is answered in time.
 */
export async function overload(say: (line: string) => void): Promise<boolean> {
  const { seconds } = numbersFrom({ seconds: 60 });
  const faults = floodFaults(await flood(seconds, say, { CALLS_AT_ONCE: '100' }));
  const control = floodFaults(await flood(Math.min(seconds, 20), say, {}));
  const right = faults.length === 0 && control.length > 0;
  say(
    `overload: ${right ? 'as it must be' : `NOT as it must be: ${faults.join('; ') || 'the control found nothing'}`}`,
  );
  return right;
}

const isRefusal = ({ status, code }: Answer) => status === 503 && code === 'request/unavailable';

async function flood(
  seconds: number,
  say: (line: string) => void,
  settings: Record<string, string>,
): Promise<Flood> {
  let result: Flood | undefined;
  await onThrowAwayDatabase(async (url, { cluster }) => {
    const postmaster = (await findPostmaster(cluster))?.pid ?? 0;
    const services = openServices(url);
    const server = await serverProcess({ databaseUrl: url, settings });
    try {
      await server.start();
      const { token } = await makeWriter(services);
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token, 30_000);
      const ask = () => caller.call('GET', '/api/jobs/nearby?lat=52.37&lng=4.89');
      await closedLoop(ask, 3_000);
      const pids = { server: server.pid() ?? 0, postmaster };
      const beforePeak = cpuSpent(pids);
      const peak = await closedLoop(ask, 8_000);
      const atPeak = coresSince(beforePeak, pids);
      const answers: Answer[] = [];
      const calls: Promise<unknown>[] = [];
      const started = performance.now();
      const beforeFlood = cpuSpent(pids);
      for (let sent = 0; performance.now() - started < seconds * 1_000; ) {
        const due = ((performance.now() - started) / 1_000) * peak * 2;
        for (; sent < due; sent += 1) calls.push(ask().then((answer) => answers.push(answer)));
        await wait(5);
      }
      const inFlood = coresSince(beforeFlood, pids);
      const arrived = calls.length / ((performance.now() - started) / 1_000);
      await wait(inTimeMs);
      const open = calls.length - answers.length;
      const inTime = answers.filter(({ code, ms }) => code === 'ok' && ms < inTimeMs).length / seconds;
      const refusals = answers.filter(isRefusal);
      const otherwise: Record<string, number> = {};
      for (const answer of answers)
        if (answer.code !== 'ok' && !isRefusal(answer))
          otherwise[`${answer.status} ${answer.code}`] =
            (otherwise[`${answer.status} ${answer.code}`] ?? 0) + 1;
      const refusedMs = quantile(
        refusals.map(({ ms }) => ms),
        0.99,
      );
      await wait(10_000 - inTimeMs);
      const after = await closedLoop(ask, 5_000);
      await Promise.all(calls);
      result = { peak, inTime, otherwise, open, after, refused: refusals.length, refusedMs };
      const other = Object.values(otherwise).reduce((sum, times) => sum + times, 0);
      say(
        `overload${settings.CALLS_AT_ONCE ? '' : ', negative control without a limit'}: best ${peak.toFixed(0)} a second; at twice that for ${seconds} s ${inTime.toFixed(0)} a second in time (${((100 * inTime) / peak).toFixed(0)} %), ${refusals.length} refused with 503, p99 ${(refusedMs / 1_000).toFixed(2)} s, ${other} failed otherwise, ${open} open at the end; ten seconds later ${after.toFixed(0)} a second`,
      );
      say(`  processors at best: ${atPeak}; at ${arrived.toFixed(0)} calls a second: ${inFlood}`);
      caller.close();
    } finally {
      await server.kill();
      await services.close();
    }
  });
  if (!result) throw new Error('the run gave no result');
  return result;
}

type Pids = { server: number; postmaster: number };

/** CPU time so far, in ms: the callers run in this process, on the same cores as the server. */
function cpuSpent({ server, postmaster }: Pids) {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now(),
    server: cpuOf(server)?.ms ?? 0,
    PostgreSQL: cpuOfPostgres(postmaster),
    callers: (user + system) / 1_000,
  };
}

/** How many cores each took since then, such as `server 0.88, PostgreSQL 0.45, callers 0.25`. */
function coresSince(before: ReturnType<typeof cpuSpent>, pids: Pids): string {
  const now = cpuSpent(pids);
  return (['server', 'PostgreSQL', 'callers'] as const)
    .map((who) => `${who} ${((now[who] - before[who]) / (now.at - before.at)).toFixed(2)}`)
    .join(', ');
}

/** Answers per second to 16 clients that ask one call after the other. */
async function closedLoop(ask: () => Promise<Answer>, ms: number): Promise<number> {
  let fine = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() - started < ms) if ((await ask()).code === 'ok') fine += 1;
    }),
  );
  return fine / ((performance.now() - started) / 1_000);
}
