import { createServer as createHttpServer } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasNginx, startNginx } from '../test/counterparts/nginx.ts';
import {
  freePort,
  type ServerProcess,
  serverSecret,
  startServerProcess,
} from '../test/counterparts/server-process.ts';
import { openTcpProxy } from '../test/counterparts/tcp-proxy.ts';
import { metricsIn, monitoredMetrics, promtool } from '../test/monitoring.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { makeAccount } from './people/accounts/accounts.fixtures.ts';
import { systemClock } from './platform/clock.ts';
import { openPool } from './platform/db.ts';

let database: TestDatabase;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.drop();
});

/** The first answer of a server that is starting. */
async function untilAnswers(address: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(address).catch(() => null);
    if (answer) return answer;
    await wait(20);
  }
}

function start(url: string, port: number, settings: Record<string, string> = {}): ServerProcess {
  const server = startServerProcess(url, port, settings);
  closing.push(() => server.ended('SIGKILL'));
  return server;
}

/** Rules and dashboard of docs/monitoring use only what a real server has, and promtool agrees with both. */
async function knowsMonitoredMetrics(address: string, token: string): Promise<void> {
  const text = await (
    await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  ).text();
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = [...(await monitoredMetrics())].map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(metricsIn('sum by (le_x) (rate(no_such_total{a_b="c_d"}[5m]))')).toEqual(['no_such_total']);
  expect(promtool(['check', 'metrics'], text) ?? '').toBe('');
  promtool(['check', 'rules', 'alerts.yml']);
  promtool(['test', 'rules', 'alerts.test.yml']);
}

it('claims its port before it touches the database, and logs JSON from the first line', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  closing.push(() => taken.close());
  const refused = start('postgres://nobody:secret@127.0.0.1:1/none', port);
  expect((await refused.ended()).code).toBe(1);
  expect(refused.lines().map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 60, msg: expect.stringContaining(`Port ${port} is in use`) }),
  ]);
});

it('logs every line as JSON until its last, and each line of a request with its id', async () => {
  const settings = { DRAIN_SECONDS: '0', METRICS_TOKEN: 'a token of the tests, 32 characters long' };
  const server = start(database.url, await freePort(), settings);
  const live = await untilAnswers(`${server.address}/health/live`);
  expect(live.status).toBe(200);
  await server.ready();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('alter table jobs rename to jobs_away');
  const failed = await fetch(`${server.address}/api/jobs/${crypto.randomUUID()}`);
  await client.end();
  expect(failed.status).toBe(500);
  await knowsMonitoredMetrics(server.address, settings.METRICS_TOKEN);
  const { code } = await server.ended('SIGTERM');
  expect(code).toBe(0);
  const lines = server.lines().map((line) => JSON.parse(line) as { reqId?: string; level: number });
  const id = failed.headers.get('x-request-id');
  expect(lines.filter(({ reqId }) => reqId === id).map(({ level }) => level)).toEqual([50, 30]);
  expect(lines.filter(({ level, reqId }) => level === 50 && reqId === undefined)).toEqual([]);
});

it('ends in time after its database vanished, with a request and tasks under way', async () => {
  const url = new URL(database.url);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  closing.push(proxy.close);
  url.port = String(proxy.port);
  const server = start(url.href, await freePort(), { STOP_SECONDS: '4' });
  await server.ready();
  proxy.vanish();
  // The last answer counts for a second.
  await wait(1_100);
  const unready = await fetch(`${server.address}/health/ready`);
  expect([unready.status, await unready.json()]).toEqual([503, { status: 'database does not respond' }]);
  const waiting = fetch(`${server.address}/api/jobs/nearby?lat=52.37&lng=4.89`).catch(() => null);
  const { ms } = await server.ended('SIGTERM');
  expect(ms).toBeLessThan(6_000);
  await waiting;
});

it.skipIf(!hasNginx)('is told by nginx who calls, for which host and how', async () => {
  const echo = createHttpServer((request, response) => response.end(JSON.stringify(request.headers)));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  closing.push(() => echo.close());
  const nginx = await startNginx([(echo.address() as AddressInfo).port]);
  closing.push(nginx.close);
  for (const path of ['/', '/api/realtime']) {
    const { body } = await new Promise<{ body: string }>((resolve, reject) => {
      const options = { host: 'localhost', port: nginx.port, path, ca: nginx.cert };
      request({ ...options, headers: { 'x-forwarded-for': '198.51.100.7' } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ body: Buffer.concat(parts).toString() }));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body)).toMatchObject({
      ...{ host: 'localhost', 'x-forwarded-proto': 'https' },
      'x-forwarded-for': expect.stringMatching(/^198\.51\.100\.7, (127\.0\.0\.1|::1)$/),
    });
  }
});

it.skipIf(!hasNginx)('restarts behind nginx without a failed request', async () => {
  const ports = [await freePort(), await freePort()];
  const settings = { DRAIN_SECONDS: '1', WRITES_PER_MINUTE: '100000', READS_PER_MINUTE: '100000' };
  const trusting = { ...settings, TRUST_PROXY: '127.0.0.1' };
  const servers = ports.map((port) => start(database.url, port, trusting));
  const [first] = servers;
  await Promise.all(servers.map((server) => server.ready()));
  const nginx = await startNginx(ports);
  closing.push(nginx.close);
  const { db, close } = openPool(database.url, 1, () => {});
  closing.push(close);
  const { token } = await makeAccount(db, systemClock, serverSecret, {});
  const agent = new Agent({ keepAlive: true, ca: nginx.cert, maxSockets: 8 });
  closing.push(() => agent.destroy());
  const call = (method: string, path: string, body?: Buffer, headers: Record<string, string> = {}) =>
    new Promise<number | string>((resolve) => {
      const options = { agent, method, headers, host: 'localhost', port: nginx.port, path };
      const sent = request(options, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('upgrade', () => resolve(101));
      });
      sent.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve(101);
      });
      sent.on('error', (error) => resolve(error.message));
      sent.end(body);
    });
  const seen = new Map<number | string, number>();
  const restarting = new AbortController();
  const note = (outcome: number | string) => seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  const load = Array.from({ length: 4 }, async () => {
    for (let n = 0; !restarting.signal.aborted; n += 1) {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
      const json = { ...headers, 'content-type': 'application/json' };
      note(
        await call('PATCH', '/api/accounts/me', Buffer.from(JSON.stringify({ name: `Leila ${n}` })), json),
      );
      note(await call('GET', '/health/live'));
    }
  });
  expect((await first?.ended('SIGTERM'))?.code).toBe(0);
  await start(database.url, ports[0] ?? 0, trusting).ready();
  restarting.abort();
  await Promise.all(load);
  expect([...seen.keys()]).toEqual([200]);
  expect(await call('POST', '/api/files', Buffer.alloc(3_000_000))).not.toBe(413);
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const socket = { ...upgrade, 'sec-websocket-key': Buffer.alloc(16).toString('base64') };
  const path = '/api/realtime?EIO=4&transport=websocket';
  expect(await call('GET', path, undefined, { ...socket, origin: String(first?.address) })).toBe(101);
  const plain = await fetch(`http://127.0.0.1:${nginx.plainPort}/jobs?q=1`, { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/jobs?q=1']);
});
