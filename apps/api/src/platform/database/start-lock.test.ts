import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase, withTestRole } from '../../../test/test-database.ts';
import { StartRefusedError } from '../start-refused.ts';
import { createPgbouncer, hasPgbouncer } from '../test-services/pgbouncer.fixtures.ts';
import { openDatabase } from './database-server.ts';
import { migrate } from './migrate.ts';
import { holdStartLock, startLocks } from './start-lock.ts';

const warnings: string[] = [];
const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
let database: TestDatabase;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  warnings.length = 0;
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.drop();
});

async function connect(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  closing.push(() => client.end());
  return client;
}

/** A pooler that accepts every setting, so that only our own check refuses it. */
async function openPooler(): Promise<string> {
  const { hostname, port, password } = new URL(inject('testServer').superuserUrl);
  const login = { user: inject('testServer').owner, password: decodeURIComponent(password) };
  const pooler = await createPgbouncer({ host: hostname, port: Number(port), ...login }, [
    'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options',
  ]);
  closing.push(pooler.close);
  const through = new URL(database.url);
  through.port = String(pooler.port);
  return through.href;
}

it('names the holder while it waits and when it gives up, and takes the lock once it is free', async () => {
  const holder = await connect(database.url, 'a program that hangs');
  const pid = (await holder.query('select pg_backend_pid() as pid')).rows[0].pid;
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock($1::bigint)', [startLocks.migrations.id]);
  const client = await connect(database.url, 'nearhand start');
  const times = { tryAgainMs: 20, warnMs: 60, giveUpMs: 200 };
  const take = () => holdStartLock(client, startLocks.migrations, log, async () => 'done', times);
  const described = new RegExp(
    `session ${pid} of 'a program that hangs' from (127\\.0\\.0\\.1|::1|a local socket), since \\d{4}-\\d\\d-\\d\\dT`,
  );
  const refused = await take().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartRefusedError);
  expect((refused as Error).message).toMatch(described);
  expect(warnings.length).toBeGreaterThan(0);
  for (const warning of warnings) expect(warning).toMatch(described);
  // Another lock is free, and so is this one in another database.
  expect(await holdStartLock(client, startLocks.demoTown, log, async () => 'done', times)).toBe('done');
  await holder.query('rollback');
  expect(await take()).toBe('done');
});

it('gives the lock back when the work fails', async () => {
  const client = await connect(database.url, 'nearhand start');
  const failing = holdStartLock(client, startLocks.migrations, log, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  const { rows } = await client.query(`select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`);
  expect(rows).toEqual([]);
});

it('ignores the time limits of its role', async () => {
  const served = new URL(await withTestRole(database.url));
  const admin = await connect(inject('testServer').superuserUrl, 'limits');
  await admin.query(`alter role ${served.username} set statement_timeout = '100ms'`);
  await admin.query(`alter role ${served.username} set idle_in_transaction_session_timeout = '100ms'`);
  const client = await connect(served.href, 'nearhand start');
  const work = async () => (await client.query('select pg_sleep(0.3)::text as slept')).rows.length;
  expect(await holdStartLock(client, startLocks.migrations, log, work)).toBe(1);
  const idle = () => new Promise<string>((resolve) => setTimeout(() => resolve('idle'), 300));
  expect(await holdStartLock(client, startLocks.migrations, log, idle)).toBe('idle');
});

it.skipIf(!hasPgbouncer)('recognizes a pooler in each address that must bypass it', async () => {
  const through = await openPooler();
  const open = (config: object) => openDatabase({ config, dataDir: '/nowhere', log });
  await expect(open({ DATABASE_URL: through })).rejects.toThrow(
    /^DATABASE_URL \(.*\) leads to a pooler in transaction mode; also set DATABASE_DIRECT_URL/,
  );
  await expect(open({ DATABASE_URL: through, DATABASE_DIRECT_URL: through })).rejects.toThrow(
    /^DATABASE_DIRECT_URL \(.*\) leads to a pooler in transaction mode/,
  );
  const direct = { DATABASE_URL: through, DATABASE_DIRECT_URL: database.url };
  await expect(open({ ...direct, DATABASE_OWNER_URL: through })).rejects.toThrow(/^DATABASE_OWNER_URL \(/);
  expect(await open({ ...direct, DATABASE_OWNER_URL: database.url })).toMatchObject({ url: database.url });
});

it.skipIf(!hasPgbouncer)('leaves no lock and no setting on the connections of a pooler', async () => {
  const through = await openPooler();
  await migrate(through, { log });
  const client = await connect(through, 'afterwards');
  const direct = await connect(database.url, 'direct');
  const { rows } = await direct.query(`select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`);
  expect(rows).toEqual([]);
  // There are at most four connections: each one is checked.
  for (let turn = 0; turn < 8; turn += 1)
    expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
});

it.each([
  ['DATABASE_DIRECT_URL', 'postgres://nobody:hush@127.0.0.1:9/none', 'cannot be reached'],
  ['DATABASE_OWNER_URL', 'postgres://nobody:hush@127.0.0.1:9/none', 'cannot be reached'],
  ['DATABASE_DIRECT_URL', 'ftp://127.0.0.1/none', 'must look like postgres://'],
])('reports in one sentence that %s is wrong, without the password', async (name, url, words) => {
  const config = { DATABASE_URL: database.url, [name]: url };
  const refused = await openDatabase({ config, dataDir: '/nowhere', log }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartRefusedError);
  const { message } = refused as Error;
  expect(message).toContain(name);
  expect(message).toContain(words);
  expect(message).not.toContain('hush');
  expect(message.split('\n')).toHaveLength(1);
});

it("reports in one sentence that a pooler's password is wrong", async () => {
  const pooled = new URL(await withTestRole(database.url));
  pooled.password = 'wrong-password';
  const config = { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: database.url };
  const refused = await openDatabase({ config, dataDir: '/nowhere', log }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartRefusedError);
  expect((refused as Error).message).toMatch(
    /^The PostgreSQL of DATABASE_URL .*password authentication failed/,
  );
  expect((refused as Error).message).not.toContain('wrong-password');
});

it('rejects addresses that lead to two databases', async () => {
  const other = await createTestDatabase();
  try {
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'])
      await expect(
        openDatabase({ config: { DATABASE_URL: database.url, [name]: other.url }, dataDir: '/nowhere', log }),
      ).rejects.toThrow(/leads to another database than/);
  } finally {
    await other.drop();
  }
});

/** Only these statements keep state in a session, each on its own connection past any pooler. */
const keepsSessionState = {
  'platform/database/database-server.ts': 'the owner of the embedded server',
  'platform/database/spoiled-connections.ts': 'maintenance without a time limit, on the connections of tasks',
  'platform/realtime/realtime-postgres.ts': 'LISTEN',
  'platform/tasks/task-leases.ts': 'leases of tasks',
};

it('is the only way to lock, apart from transactions and the files listed here', () => {
  const source = path.resolve(import.meta.dirname, '../..');
  const stateful =
    /\bpg_(try_)?advisory_lock(_shared)?\b|set_config\([^)]*, false\)|['"`]\s*(set (?!local\b|constraint|transaction\b|session_replication)\w+ =|listen )/;
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) =>
      !/\.(test|fixtures)\.ts$/.test(file) && stateful.test(readFileSync(path.join(source, file), 'utf8')),
  );
  expect(files.sort()).toEqual(Object.keys(keepsSessionState).sort());
});
