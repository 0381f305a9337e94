import { setTimeout as wait } from 'node:timers/promises';
import { openTcpProxy } from '@nearhand/api/src/platform/counterparts/tcp-proxy.fixtures.ts';
import { type ServerProcess, serverProcess } from '../money/server-process.ts';
import { openServices, type Services } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

const awayMs = 60_000;

/**
 * `npm run experiments -- vanished-primary`: the database's machine falls silent for a minute while clients write: nobody hangs up. Every
 * call is answered within 45 s, readiness says so within 5 s, writes succeed within 45 s of its return, and a stop while it is away ends in time. The
 * control has no time limits on answers: calls stay without one.
 */
export async function vanishedPrimary(say: (line: string) => void): Promise<boolean> {
  const real = await vanish(say, undefined);
  const control = await vanish(say, 'no-answer-limits');
  const right = real && !control;
  say(`vanished-primary: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function vanish(say: (line: string) => void, sabotage: string | undefined): Promise<boolean> {
  let fine = false;
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const address = new URL(url);
    const proxy = await openTcpProxy({ host: address.hostname, port: Number(address.port) });
    address.port = String(proxy.port);
    const settings = { STOP_SECONDS: '8', DRAIN_SECONDS: '0' };
    const server = await serverProcess({ databaseUrl: address.href, sabotage, settings });
    try {
      await server.start();
      fine = await watch({ services, server, proxy }, say, sabotage);
    } finally {
      await server.kill();
      await proxy.close();
      await services.close();
    }
  });
  return fine;
}

type Parts = { services: Services; server: ServerProcess; proxy: Awaited<ReturnType<typeof openTcpProxy>> };

async function watch(
  { services, server, proxy }: Parts,
  say: (line: string) => void,
  sabotage: string | undefined,
): Promise<boolean> {
  const { token, businessId } = await makeWriter(services);
  const caller = callerAt({ port: Number(new URL(server.url).port) }, token, awayMs - 1_000);
  const stream = writeJobs(caller, businessId);
  await wait(3_000);
  const goneAt = performance.now();
  proxy.vanish();
  const unreadyMs = await until(async () => (await statusOf(server)) === 503, goneAt);
  await wait(awayMs - (performance.now() - goneAt));
  const backAt = performance.now();
  const before = stream.acknowledged.size;
  proxy.comeBack();
  const recoveredMs = await until(async () => stream.acknowledged.size > before, backAt);
  await stream.stop();
  const { lost, doubled } = await compareJobs(services, stream);
  proxy.vanish();
  await wait(1_000);
  const stopAt = performance.now();
  await server.stop();
  const stopMs = performance.now() - stopAt;
  const slowest = stream.slowestMs();
  say(
    `vanished-primary${sabotage ? `, negative control ${sabotage}` : ''}: silent for 60 s; ${answersText(stream)}; not ready after ${text(unreadyMs)}, slowest answer ${text(slowest)}, writing ${text(recoveredMs)} after its return, stopped in ${text(stopMs)} while away; ${lost} lost, ${doubled} doubled`,
  );
  caller.close();
  return (
    unreadyMs < 5_000 && slowest < 45_000 && recoveredMs < 45_000 && stopMs < 10_000 && lost + doubled === 0
  );
}

const text = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'never');
const statusOf = (server: ServerProcess) =>
  fetch(`${server.url}/health/ready`, { signal: AbortSignal.timeout(6_000) }).then(
    (answer) => answer.status,
    () => 0,
  );

/** Milliseconds from `since` until it holds; infinite after a minute and a half. */
async function until(holds: () => Promise<boolean>, since: number): Promise<number> {
  while (performance.now() - since < 90_000) {
    if (await holds()) return performance.now() - since;
    await wait(100);
  }
  return Number.POSITIVE_INFINITY;
}
