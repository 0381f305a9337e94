import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ServerProcess, startServerProcess } from '../test/services/server-process.ts';
import { openSocket } from '../test/sockets.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { auditAll } from './backup/restore-backup.ts';
import { postEntry } from './money/ledger/ledger.ts';
import { codeOf } from './people/sign-in/second-step.fixtures.ts';
import { systemClock } from './platform/clock.ts';
import { openPool } from './platform/db.ts';
import { newId } from './platform/ids.ts';
import { readKeys } from './platform/keys/lasting-key.ts';
import { createSign, type Keys } from './platform/sign.ts';
import { freePort } from './platform/test-services/free-port.fixtures.ts';

const old = 'the secret of last year and long enough';
const next = 'the secret of this year and long enough';
const password = 'correct horse battery';
let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, 2, () => {});
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await pool.close();
  await database.drop();
});

/** Starts the real server, with mails in its mailbox. Both servers have one public address, as behind a proxy. */
async function start(SECRET: string, OTHER_SECRETS = ''): Promise<ServerProcess> {
  const server = startServerProcess(database.url, await freePort(), {
    NODE_ENV: 'development',
    DEMO: 'false',
    SMTP_URL: '',
    PUBLIC_URL: 'http://localhost:8080',
    SECRET,
    OTHER_SECRETS,
    LOG_LEVEL: 'warn',
  });
  closing.push(() => server.ended('SIGKILL'));
  return server;
}

type Answer = { status: number; body: Record<string, string>; text: string };

/** A browser that uses several servers as if they were one. */
function browser() {
  const jar = new Map<string, string>();
  let token = '';
  async function call(server: ServerProcess, method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${server.address}/api${path}`, {
      method,
      headers: {
        origin: 'http://localhost:8080',
        ...(jar.size > 0 ? { cookie: [...jar].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
      if (/max-age=0\b/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: json ? JSON.parse(text) : {}, text };
  }
  return {
    call,
    get token() {
      return token;
    },
    async auth(server: ServerProcess, path: string, body: object = {}): Promise<Answer> {
      const answer = await call(server, 'POST', `/auth${path}`, body);
      if (answer.body.token) token = answer.body.token;
      return answer;
    },
  };
}

const mailedTo = (email: string, fits: RegExp): Promise<string> =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.pool.query('select text from mailbox_messages where recipient = $1', [
        email,
      ]);
      const found = rows.map(({ text }) => fits.exec(text)?.[1]).find((one) => one !== undefined);
      expect(found, JSON.stringify(rows)).toBeDefined();
      return found ?? '';
    },
    { timeout: 20_000, interval: 50 },
  );

const audit = async (known: Pick<Keys, 'secret' | 'others'>) =>
  auditAll(pool.db, { clock: systemClock, sign: createSign(await readKeys(pool.db, known)) }, () => {});

async function post(known: Pick<Keys, 'secret' | 'others'>, key: string): Promise<void> {
  const sign = createSign(await readKeys(pool.db, known));
  const lines = [
    { account: { kind: 'provider_clearing' as const }, amountMinor: -500 },
    { account: { kind: 'business_balance' as const, ownerId: newId(new Date()) }, amountMinor: 500 },
  ];
  await pool.db
    .transaction()
    .execute((tx) =>
      postEntry(
        tx,
        { clock: systemClock, sign },
        { key, kind: 'top_up', currency: 'EUR', about: null, lines },
      ),
    );
}

const socketOn = async (server: ServerProcess, token: string) => {
  const device = await openSocket(server.address, { token });
  closing.push(device.close);
  return device;
};

it('replaces SECRET while users are signed in, and rejects what only the dropped one signed', async () => {
  const before = await start(old, next);
  await before.ready();
  const nadia = browser();
  const leila = browser();
  const links: string[] = [];
  for (const [person, email] of [
    [nadia, 'nadia@example.test'],
    [leila, 'leila@example.test'],
  ] as const) {
    expect((await person.auth(before, '/sign-up/email', { email, password })).status).toBe(200);
    expect((await person.auth(before, '/send-verification-email')).status).toBe(200);
    links.push(await mailedTo(email, /verify=([\w.-]+)/));
  }
  const [verification, unused] = links;

  // Both run at the same time, as during a restart of one process after the other.
  const after = await start(next, old);
  await after.ready();
  expect((await nadia.auth(after, '/verify-email', { token: verification })).status).toBe(200);
  const started = await nadia.auth(before, '/second-step/start', { password });
  const uri = started.body.uri ?? '';
  // Uses each code once, one step early at most: the server accepts it however slow the machine is.
  let usedStep = 0;
  const nextCode = async () => {
    const stepOf = (at: number) => Math.floor(at / 30_000);
    usedStep = Math.max(usedStep + 1, stepOf(Date.now()));
    await vi.waitFor(() => expect(stepOf(Date.now()) + 1).toBeGreaterThanOrEqual(usedStep), 60_000);
    return codeOf(uri, usedStep * 30_000);
  };
  expect((await nadia.auth(before, '/second-step/confirm', { code: await nextCode() })).status).toBe(200);
  // Verifying the address ended the session that the password had opened.
  const proof = await nadia.auth(before, '/verify-password', { email: 'nadia@example.test', password });
  expect(proof.status).toBe(200);
  const created = await nadia.call(before, 'POST', '/calendar/feed', {});
  expect(created.body).toMatchObject({ url: expect.any(String) });
  const feed = new URL(created.body.url ?? '').pathname;
  const link = (await nadia.call(before, 'POST', '/statement/link', { format: 'csv' })).body.path ?? '';
  const ofOld = nadia.token;
  await post({ secret: old, others: [] }, 'top-up/1');

  for (const server of [before, after]) {
    expect((await nadia.call(server, 'GET', '/accounts/me')).status).toBe(200);
    expect((await nadia.auth(server, '/access-token')).status).toBe(200);
    expect((await nadia.call(server, 'GET', feed.replace('/api', ''))).text).toContain('BEGIN:VCALENDAR');
    expect((await nadia.call(server, 'GET', link)).status).toBe(200);
    expect((await socketOn(server, nadia.token)).ends).toEqual([]);
  }
  expect((await socketOn(after, ofOld)).ends).toEqual([]);
  // A sign-in with two steps that starts at one server and ends at the other.
  const phone = browser();
  const first = await phone.auth(before, '/sign-in/email', { email: 'nadia@example.test', password });
  expect(first.body.code).toBe('auth/multi-factor-auth-required');
  const second = { code: await nextCode(), recovery: false, trustDevice: false };
  expect((await phone.auth(after, '/sign-in/second-step', second)).status).toBe(200);
  expect((await phone.auth(before, '/access-token')).status).toBe(200);
  expect(await audit({ secret: next, others: [] })).toBe(true);

  // Restarts the last process that signed with the old secret; then the old one is dropped.
  await before.ended('SIGTERM');
  const both = await start(next, old);
  await both.ready();
  await Promise.all([both.ended('SIGTERM'), after.ended('SIGTERM')]);
  const alone = await start(next);
  await alone.ready();
  expect((await phone.auth(alone, '/access-token')).status).toBe(200);
  expect((await phone.call(alone, 'GET', feed.replace('/api', ''))).status).toBe(200);
  const again = browser();
  await again.auth(alone, '/sign-in/email', { email: 'nadia@example.test', password });
  expect(
    (await again.auth(alone, '/sign-in/second-step', { ...second, code: await nextCode() })).status,
  ).toBe(200);
  expect((await leila.auth(alone, '/verify-email', { token: unused })).body.code).toBe(
    'auth/invalid-action-code',
  );
  expect((await leila.auth(alone, '/access-token')).body.code).toBe('auth/user-token-expired');
  expect((await leila.call(alone, 'GET', '/accounts/me')).body.code).toBe('session/expired');
  expect((await browser().call(alone, 'GET', link)).body.code).toBe('file/link-expired');
  await post({ secret: next, others: [] }, 'top-up/2');
  expect(await audit({ secret: next, others: [] })).toBe(true);

  // The negative control: the dropped secret opens nothing.
  await expect(audit({ secret: old, others: [] })).rejects.toThrow('another SECRET');
  const refused = await start(old);
  expect((await refused.ended()).code).toBe(1);
  expect(refused.lines().join('\n')).toContain('last opened with another SECRET');
}, 600_000);

it('keeps the digests of a database from before it had a key', async () => {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('delete from lasting_keys');
  await client.end();
  const rotating = await start(next, old);
  expect((await rotating.ended()).code).toBe(1);
  expect(rotating.lines().join('\n')).toContain('without OTHER_SECRETS');
  const plain = await start(next);
  await plain.ready();
  expect((await readKeys(pool.db, { secret: next, others: [] })).lasting).toBe(next);
}, 300_000);
