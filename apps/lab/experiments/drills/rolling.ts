import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@nearhand/api/src/platform/counterparts/free-port.fixtures.ts';
import { startNginx } from '@nearhand/api/src/platform/counterparts/nginx.fixtures.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

const settings = { NODE_ENV: 'production', DRAIN_SECONDS: '2', TRUST_PROXY: '127.0.0.1' };
const production = {
  PUBLIC_URL: 'https://nearhand.example',
  DOCUMENT_KEYS: `drills:${'k'.repeat(43)}`,
  PAYMENT_SANDBOX_IN_PRODUCTION: 'true',
  SMTP_URL: 'smtp://127.0.0.1:9',
};

/**
 * `npm run experiments -- rolling`: two processes behind the documented nginx are stopped and started in turn, three times, while clients write
 * and never ask again. No call may fail. The control kills them, behind an nginx that asks no other server: calls must fail.
 */
export async function rolling(say: (line: string) => void): Promise<boolean> {
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const real = await restarts(url, say, false);
    const control = await restarts(url, say, true);
    right = real === 0 && control > 0;
  });
  say(`rolling: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function restarts(url: string, say: (line: string) => void, control: boolean): Promise<number> {
  const services = openServices(url);
  const { token, businessId } = await makeWriter(services);
  const ports = [await freePort(), await freePort()];
  const servers = await Promise.all(
    ports.map((port) => serverProcess({ databaseUrl: url, port, settings: { ...production, ...settings } })),
  );
  for (const server of servers) await server.start();
  const nginx = await startNginx(ports, (sites) =>
    control ? sites.replace(/proxy_next_upstream [^;]*;/, 'proxy_next_upstream off;') : sites,
  );
  const caller = callerAt({ port: nginx.port, ca: nginx.cert }, token);
  const stream = writeJobs(caller, businessId, { once: true });
  const started = performance.now();
  try {
    for (let round = 0; round < (control ? 1 : 3); round += 1)
      for (const server of servers) {
        await (control ? server.kill() : server.stop());
        await server.start();
        await wait(1_000);
      }
    await stream.stop();
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    const { lost, doubled } = await compareJobs(services, stream);
    const failed = [...stream.answers].reduce((sum, [code, times]) => sum + (code === 'ok' ? 0 : times), 0);
    say(
      `rolling${control ? ', negative control' : ''}: ${control ? '2 kills' : '6 restarts'} in ${seconds} s; ${answersText(stream)}; longest gap ${Math.round(stream.longestGapMs())} ms, slowest ${Math.round(stream.slowestMs())} ms; ${lost} lost, ${doubled} doubled`,
    );
    return failed + (control ? 0 : lost + doubled);
  } finally {
    await stream.stop();
    caller.close();
    await nginx.close();
    await Promise.all(servers.map((server) => server.kill()));
    await services.close();
  }
}
