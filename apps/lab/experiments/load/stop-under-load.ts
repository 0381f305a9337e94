import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, callerAt, makeWriter } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom } from './options.ts';

/**
 * `npm run experiments -- stop-under-load [--stops 50]`: a server is stopped with SIGTERM under writes and started again. No accepted call fails, and
 * each stop takes less than 10 s. The control kills it: accepted calls must fail.
 */
export async function stopUnderLoad(say: (line: string) => void): Promise<boolean> {
  const { stops } = numbersFrom({ stops: 50 });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const real = await stopping(url, stops, say, false);
    const control = await stopping(url, Math.min(stops, 5), say, true);
    right = real.failed === 0 && real.slowestMs < 10_000 && control.failed > 0;
  });
  say(`stop-under-load: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function stopping(url: string, stops: number, say: (line: string) => void, control: boolean) {
  const services = openServices(url);
  const server = await serverProcess({
    databaseUrl: url,
    settings: { DRAIN_SECONDS: '1', STOP_SECONDS: '8' },
  });
  const { token } = await makeWriter(services);
  const counts = new Map<string, number>();
  let over = false;
  // A connection of its own for each call: whether it was accepted is known.
  const client = async (n: number) => {
    for (let call = 0; !over; call += 1) {
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
      const { code }: Answer = await caller.call('PATCH', '/api/accounts/me', { name: `Leila ${n} ${call}` });
      caller.close();
      counts.set(code, (counts.get(code) ?? 0) + 1);
      await wait(code === 'ECONNREFUSED' ? 50 : 5);
    }
  };
  const stopMs: number[] = [];
  await server.start();
  const clients = Promise.all(Array.from({ length: 6 }, (_, n) => client(n)));
  try {
    for (let stop = 0; stop < stops; stop += 1) {
      await wait(300 + Math.random() * 400);
      const at = performance.now();
      await (control ? server.kill() : server.stop());
      stopMs.push(performance.now() - at);
      await server.start();
    }
  } finally {
    over = true;
    await clients;
    await server.kill();
    await services.close();
  }
  const failed = [...counts].reduce(
    (sum, [code, times]) =>
      sum + (['ok', 'ECONNREFUSED', 'idempotency/in-flight'].includes(code) ? 0 : times),
    0,
  );
  const slowestMs = Math.max(...stopMs);
  say(
    `stop-under-load${control ? ', negative control kills' : ''}: ${stops} stops, the slowest ${(slowestMs / 1_000).toFixed(1)} s; ${[...counts].map(([code, times]) => `${times} ${code}`).join(', ')}; ${failed} accepted calls failed`,
  );
  return { failed, slowestMs };
}
