import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, callerAt, makeWriter } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom, quantile } from './options.ts';

/**
 * `npm run experiments -- overload [--seconds 60]`: calls arrive at twice the rate that the server can answer, whether it answers or not. At least
 * 80 % of its best rate is still answered, what is refused is refused within a second, and ten seconds later all is as before. The control
 * lets everything wait: less is answered in time.
 */
export async function overload(say: (line: string) => void): Promise<boolean> {
  const { seconds } = numbersFrom({ seconds: 60 });
  const real = await flood(seconds, say, { CALLS_AT_ONCE: '100' });
  const control = await flood(Math.min(seconds, 20), say, {});
  const right = real && !control;
  say(`overload: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function flood(seconds: number, say: (line: string) => void, settings: Record<string, string>) {
  let fine = false;
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const server = await serverProcess({ databaseUrl: url, settings });
    try {
      await server.start();
      const { token } = await makeWriter(services);
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token, 30_000);
      const ask = () => caller.call('GET', '/api/jobs/nearby?lat=52.37&lng=4.89');
      await closedLoop(ask, 3_000);
      const peak = await closedLoop(ask, 8_000);
      const answers: Answer[] = [];
      const open: Promise<unknown>[] = [];
      const started = performance.now();
      for (let sent = 0; performance.now() - started < seconds * 1_000; ) {
        const due = ((performance.now() - started) / 1_000) * peak * 2;
        for (; sent < due; sent += 1) open.push(ask().then((answer) => answers.push(answer)));
        await wait(5);
      }
      const inTime = answers.filter(({ code, ms }) => code === 'ok' && ms < 2_000).length / seconds;
      const refused = answers.filter(({ code }) => code !== 'ok');
      const refusedMs = quantile(
        refused.map(({ ms }) => ms),
        0.99,
      );
      await wait(10_000);
      const after = await closedLoop(ask, 5_000);
      await Promise.all(open);
      const share = inTime / peak;
      say(
        `overload${settings.CALLS_AT_ONCE ? '' : ', negative control without a limit'}: best ${peak.toFixed(0)} a second; at twice that for ${seconds} s ${inTime.toFixed(0)} a second in time (${(100 * share).toFixed(0)} %), ${refused.length} refused, p99 ${(refusedMs / 1_000).toFixed(2)} s; ten seconds later ${after.toFixed(0)} a second`,
      );
      fine = share >= 0.8 && refusedMs < 1_000 && after > 0.8 * peak;
      caller.close();
    } finally {
      await server.kill();
      await services.close();
    }
  });
  return fine;
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
