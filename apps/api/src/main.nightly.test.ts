import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasPromtool, metricsIn, monitoredMetrics, promtool } from '../test/monitoring.ts';
import { type ServerProcess, startServerProcess } from '../test/services/server-process.ts';
import { createTestDatabase, type TestDatabase, withTestRole } from '../test/test-database.ts';
import { hasCaddy, startCaddy } from './platform/test-services/caddy.fixtures.ts';
import { freePort } from './platform/test-services/free-port.fixtures.ts';
import { hasNginx, startNginx } from './platform/test-services/nginx.fixtures.ts';
import { createPgbouncer, hasPgbouncer } from './platform/test-services/pgbouncer.fixtures.ts';
import { openSilentServer } from './platform/test-services/silent-server.fixtures.ts';
import { openTcpProxy } from './platform/test-services/tcp-proxy.fixtures.ts';

let database: TestDatabase;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.drop();
});

/** Polls a starting server until it responds. */
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

const metricsOf = async (address: string, token: string): Promise<string> =>
  (await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();

/** Checks that the rules and dashboard of docs/monitoring use only metrics of a real server. */
async function knowsMonitoredMetrics(address: string, token: string): Promise<void> {
  const text = await metricsOf(address, token);
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = [...(await monitoredMetrics())].map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(metricsIn('sum by (le_x) (rate(no_such_total{a_b="c_d"}[5m]))')).toEqual(['no_such_total']);
}

it('ends within its deadline while the mail server hangs', async () => {
  const silent = await openSilentServer();
  closing.push(silent.close);
  const settings = { SMTP_URL: `smtp://127.0.0.1:${silent.port}`, STOP_SECONDS: '6', DRAIN_SECONDS: '0' };
  const server = start(database.url, await freePort(), settings);
  await server.ready();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(`select graphile_worker.add_job('sign-in.send-verification',
    json_build_object('email', 'a@example.test', 'token', 'token', 'key', 'stalled-' || n, 'language', null)) from generate_series(1, 6) n`);
  await client.end();
  // Every message worker is waiting for a response that outlasts the shutdown timeout.
  while (silent.taken() < 4) await wait(50);
  const { code, ms } = await server.ended('SIGTERM');
  expect(code).not.toBeNull();
  expect(ms).toBeLessThan(7_500);
});

// Skipped, and listed as skipped, without promtool.
it.skipIf(!hasPromtool)('exports metrics and alert rules that pass promtool', async () => {
  const token = 'a-token-of-thirty-two-characters';
  const server = start(database.url, await freePort(), { METRICS_TOKEN: token });
  await server.ready();
  expect(promtool(['check', 'metrics'], await metricsOf(server.address, token))).toBe('');
  expect(() => promtool(['check', 'metrics'], 'no_help_total 1\n')).toThrow('no help text');
  promtool(['check', 'rules', 'alerts.yml']);
  promtool(['test', 'rules', 'alerts.test.yml']);
});

it('claims its port before it connects to the database, and logs JSON from the first line', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  closing.push(() => taken.close());
  const refused = start('postgres://nobody:secret@127.0.0.1:1/none', port);
  expect((await refused.ended()).code).toBe(1);
  expect(refused.lines().map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 60, msg: expect.stringContaining(`Port ${port} is in use`) }),
  ]);
});

it('logs JSON to the last line, and each line of a request with its id', async () => {
  const settings = { DRAIN_SECONDS: '1', METRICS_TOKEN: 'a token of the tests, 32 characters long' };
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
  await fetch(`${server.address}/api/accounts/me`);
  await knowsMonitoredMetrics(server.address, settings.METRICS_TOKEN);
  // The server first reports that it isn't ready but still responds, so that proxies restart it without a
  // failed call.
  server.child.kill('SIGTERM');
  await wait(200);
  const draining = await fetch(`${server.address}/health/ready`);
  expect([draining.status, await draining.json()]).toEqual([503, { status: 'stopping' }]);
  const answered = await fetch(`${server.address}/api/jobs/nearby?lat=52.37&lng=4.89&q=x`);
  expect([answered.status === 0, answered.headers.get('connection')]).toEqual([false, 'close']);
  const { code } = await server.ended();
  expect(code).toBe(0);
  const lines = server.lines().map((line) => JSON.parse(line) as { reqId?: string; level: number });
  const id = failed.headers.get('x-request-id');
  expect(lines.filter(({ reqId }) => reqId === id).map(({ level }) => level)).toEqual([50, 30]);
  expect(lines.filter(({ level, reqId }) => level === 50 && reqId === undefined)).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({
      path: '/api/accounts/me',
      status: 401,
      code: 'session/required',
      network: '127.0.0.1',
    }),
  );
});

it("runs with a role that writes rows but can't change tables, triggers or functions", async () => {
  const owner = new pg.Client(database.url);
  await owner.connect();
  closing.push(() => owner.end());
  const served = await withTestRole(database.url);
  const server = start(served, await freePort(), { DATABASE_OWNER_URL: database.url });
  await server.ready();
  const email = 'leila@example.test';
  for (const [path, body] of [
    ['sign-up/email', { email, password: 'a quiet harbour 7' }],
    ['request-password-reset', { email }],
  ] as const) {
    const answer = await fetch(`${server.address}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, answer.status]).toEqual([path, 200]);
  }
  // The runner has the same role and took the mail task; no one may take it over.
  await expect
    .poll(
      async () => (await owner.query('select max(attempts) as tried from graphile_worker.jobs')).rows[0],
      {
        timeout: 20_000,
      },
    )
    .toEqual({ tried: 1 });
  const client = new pg.Client(served);
  await client.connect();
  closing.push(() => client.end());
  for (const statement of [
    'create table own (id int)',
    'alter table ledger_entries disable trigger all',
    'drop table sign_in_log',
    'create or replace function ledger_apply() returns trigger language plpgsql as $$ begin return new; end $$',
    `insert into migration_checksum (name, sha256) values ('9999.sql', 'x')`,
    'truncate sign_in_log',
    `set session_replication_role = 'replica'`,
  ])
    await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  // Once migrated, the servers don't need the owner's role.
  const second = start(served, await freePort());
  await second.ready();
}, 180_000);

it('stops in time after its database vanished, during a request and tasks', async () => {
  const url = new URL(database.url);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  closing.push(proxy.close);
  url.port = String(proxy.port);
  const server = start(url.href, await freePort(), { STOP_SECONDS: '4' });
  await server.ready();
  proxy.vanish();
  // The last response is cached for a second.
  await wait(1_100);
  const unready = await fetch(`${server.address}/health/ready`);
  expect([unready.status, await unready.json()]).toEqual([503, { status: 'database does not respond' }]);
  const waiting = fetch(`${server.address}/api/jobs/nearby?lat=52.37&lng=4.89`).catch(() => null);
  const { ms } = await server.ended('SIGTERM');
  expect(ms).toBeLessThan(6_000);
  await waiting;
});

it.skipIf(!hasPgbouncer)('rejects a pooler before any lock, and starts with a direct address', async () => {
  const url = new URL(database.url);
  const pooler = await createPgbouncer(
    {
      host: url.hostname,
      port: Number(url.port),
      user: url.username,
      password: decodeURIComponent(url.password),
    },
    ['ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options'],
  );
  closing.push(pooler.close);
  url.port = String(pooler.port);
  const mistyped = start(url.href, await freePort());
  expect((await mistyped.ended()).code).toBe(1);
  expect(mistyped.lines().map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 60,
      msg: expect.stringContaining('leads to a pooler in transaction mode; also set DATABASE_DIRECT_URL'),
    }),
  ]);
  const right = start(url.href, await freePort(), { DATABASE_DIRECT_URL: database.url });
  await right.ready();
});

it('never opens its port when it is stopped during warm-up', async () => {
  const port = await freePort();
  const server = start(database.url, port, { LOG_LEVEL: 'debug' });
  while (!server.lines().some((line) => line.includes('warming up'))) await wait(5);
  const ending = server.ended('SIGTERM');
  let open = false;
  for (let over = false; !over; ) {
    over = await Promise.race([ending.then(() => true), wait(5).then(() => false)]);
    open ||= await fetch(`${server.address}/health/live`).then(
      () => true,
      () => false,
    );
  }
  expect([open, (await ending).code]).toEqual([false, 0]);
  expect(server.lines().join('\n')).not.toContain('is open at');
});

/** Returns the protocols on both sides of a proxy: with the browser, and with the server. */
async function overHttp2(port: number, ca: string) {
  const client = connect(`https://localhost:${port}`, { ca });
  try {
    const answer = client.request({ ':path': '/getting-started', 'accept-encoding': 'br' });
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    const received = JSON.parse(Buffer.concat(parts).toString());
    return {
      protocol: client.alpnProtocol,
      told: received['x-forwarded-proto'],
      encodings: received['accept-encoding'],
    };
  } finally {
    client.close();
  }
}

/**
 * The examples of docs/operations.md. Caddy sends the caller's address, nginx also the header the caller
 * sent. Skipped if a program is missing.
 */
const proxies = [
  { name: 'nginx', isThere: hasNginx, startProxy: startNginx, from: /^198\.51\.100\.7, (127\.0\.0\.1|::1)$/ },
  { name: 'Caddy', isThere: hasCaddy, startProxy: startCaddy, from: /^(127\.0\.0\.1|::1)$/ },
];

it.for(proxies)('learns from $name the caller, the host and the protocol', async (of, { skip }) => {
  skip(!of.isThere);
  const echo = createHttpServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(JSON.stringify(request.headers)));
  });
  echo.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  closing.push(() => echo.close());
  const proxy = await of.startProxy([(echo.address() as AddressInfo).port]);
  closing.push(proxy.close);
  for (const path of ['/', '/api/realtime']) {
    const { body } = await new Promise<{ body: string }>((resolve, reject) => {
      const options = { host: 'localhost', port: proxy.port, path, ca: proxy.cert };
      request({ ...options, headers: { 'x-forwarded-for': '198.51.100.7' } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ body: Buffer.concat(parts).toString() }));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body)).toMatchObject({
      host: expect.stringMatching(/^localhost(:\d+)?$/),
      'x-forwarded-proto': 'https',
      'x-forwarded-for': expect.stringMatching(of.from),
    });
  }
  const status = (options: object, body?: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        { host: 'localhost', port: proxy.port, ca: proxy.cert, ...options },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('upgrade', () => resolve(101)).on('error', reject);
      sent.end(body);
    });
  expect(await status({ method: 'POST', path: '/api/files' }, Buffer.alloc(3_000_000))).toBe(200);
  const headers = { connection: 'Upgrade', upgrade: 'websocket' };
  expect(await status({ path: '/api/realtime', headers })).toBe(101);
  expect(await overHttp2(proxy.port, proxy.cert)).toEqual({
    protocol: 'h2',
    told: 'https',
    encodings: 'br',
  });
  const unencrypted = `http://${of.name === 'nginx' ? '127.0.0.1' : 'localhost'}:${proxy.plainPort}`;
  const call = await fetch(`${unencrypted}/api/accounts/me`, { redirect: 'manual' });
  expect(call.status).toBe(403);
  const plain = await fetch(`${unencrypted}/jobs?q=1`, { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([
    301,
    expect.stringMatching(/^https:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/jobs\?q=1$/),
  ]);
});

const hidden = 'GET /api/accounts/me HTTP/1.1\r\nHost: localhost\r\n\r\n';
const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const afterEnd = `0\r\n\r\n${hidden}`;
const chunked = 'Transfer-Encoding: chunked';
const length = (bytes: string) => `Content-Length: ${bytes.length}`;
/** Requests whose end can be read in two ways: one reading finds a hidden request behind it. */
const ambiguous: [name: string, headers: string, body: string, lineEnd?: string][] = [
  ['a length and chunks', `${length(afterEnd)}\r\n${chunked}`, afterEnd],
  ['chunks and a shorter length', `${chunked}\r\nContent-Length: 4`, chunk],
  ['two lengths', `Content-Length: 0\r\n${length(hidden)}`, hidden],
  ['a list of lengths', `Content-Length: 0, ${hidden.length}`, hidden],
  ['a length with a sign', `Content-Length: +${hidden.length}`, hidden],
  ['a folded header', `${length(afterEnd)}\r\nTransfer-Encoding:\r\n chunked`, afterEnd],
  ['a folded length', `X-First: 1\r\n ${length(hidden)}`, hidden],
  ['a space before the colon', `${length(afterEnd)}\r\nTransfer-Encoding : chunked`, afterEnd],
  ['an unknown coding', `${length(afterEnd)}\r\nTransfer-Encoding: xchunked`, afterEnd],
  [
    'chunks that are not the last coding',
    `${length(afterEnd)}\r\nTransfer-Encoding: chunked, gzip`,
    afterEnd,
  ],
  ['a chunk size with a prefix', chunked, `0x0\r\n\r\n${hidden}`],
  ['a chunk size with a sign', chunked, `-0\r\n\r\n${hidden}`],
  ['a chunk size that overflows', chunked, `10000000000000000\r\n\r\n${hidden}`],
  ['a chunk size that ends with a bare line feed', chunked, `0\n\r\n${hidden}`],
  ['a chunk longer than its size', chunked, `1\r\nab\r\n0\r\n\r\n${hidden}`],
  ['a bare carriage return in a header', `${length(afterEnd)}\r\nX-First: 1\r${chunked}`, afterEnd],
  ['lines that end with a bare line feed', length(hidden), hidden, '\n'],
];

/**
 * Sends bytes over one connection.
 * @returns the status of each response; stops after a second without another one
 */
async function answersTo(bytes: string, connection: Socket): Promise<number[]> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    let silence = setTimeout(resolve, 30_000);
    connection.on('data', (part: Buffer) => {
      text += part.toString('latin1');
      clearTimeout(silence);
      silence = setTimeout(resolve, 1_000);
    });
    connection.on('close', () => resolve()).on('error', reject);
    connection.write(bytes);
  });
  connection.destroy();
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

// ASVS 4.2.1. Skipped, and listed as skipped, without nginx.
it.skipIf(!hasNginx)(
  'agrees with nginx where a request ends, and rejects two lengths itself',
  async () => {
    const token = 'a-token-of-thirty-two-characters';
    const port = await freePort();
    const server = start(database.url, port, { METRICS_TOKEN: token, TRUST_PROXY: '127.0.0.1' });
    await server.ready();
    const proxy = await startNginx([port]);
    closing.push(proxy.close);
    const countHidden = async () => {
      const metrics = await metricsOf(server.address, token);
      const counts = metrics.matchAll(/^http_requests_total\{.*"accounts\.me".*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const head = 'POST /api/auth/sign-out HTTP/1.1\r\nHost: localhost\r\n';
    const send = async (bytes: string, connection: Socket) => {
      const before = await countHidden();
      const answers = await answersTo(bytes, connection);
      return { answers, hidden: (await countHidden()) - before };
    };
    const sendAll = async (open: () => Socket) => {
      const sent: { name: string; answers: number[]; hidden: number }[] = [];
      for (const [name, headers, body, lineEnd = '\r\n'] of ambiguous) {
        const bytes = `${head}${headers}\r\n\r\n`.replaceAll('\r\n', lineEnd) + body;
        sent.push({ name, ...(await send(bytes, open())) });
      }
      // The control: two ordinary requests.
      const two = await send(`${head}Content-Length: 0\r\n\r\n${hidden}`, open());
      expect(two).toMatchObject({ answers: [expect.any(Number), 401], hidden: 1 });
      return sent;
    };
    const direct = await sendAll(() => createConnection(port, '127.0.0.1'));
    expect(direct.filter(({ answers, hidden: run }) => run > 0 || answers.length === 0)).toEqual([]);
    // nginx also ends a chunk's size at a bare line feed. It then forwards two requests; the server must not
    // run a request that nginx doesn't know of.
    const behind = await sendAll(() =>
      connectTls({ host: 'localhost', port: proxy.port, ca: proxy.cert, ALPNProtocols: ['http/1.1'] }),
    );
    expect(behind.filter(({ answers, hidden: run }) => run !== answers.length - 1)).toEqual([]);
  },
  240_000,
);
