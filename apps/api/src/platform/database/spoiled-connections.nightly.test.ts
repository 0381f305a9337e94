import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { TestClock, useTestApp } from '../../../test/harness.ts';
import { type Database, openPool, withoutTimeLimits } from '../db.ts';
import { toAppError } from '../http/error-mapper.ts';
import { createLog } from '../log.ts';
import { keptPlan } from '../prepared-statements.ts';
import { leaseTimes } from '../tasks/task-leases.ts';
import { startRunner } from '../tasks/task-runner.ts';
import { atOnce, defineTask, enqueue, type TaskScope } from '../tasks/tasks.ts';
import { openTcpProxy } from '../test-services/tcp-proxy.fixtures.ts';

const app = useTestApp();
const log = createLog({ LOG_LEVEL: 'silent' });
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const addressOf = () => String(app.pool.options.connectionString);
function open(max: number, url = addressOf()): Database {
  const database = openPool(url, max, () => {});
  opened.push(database.close);
  return database;
}
async function superuser<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(inject('testServer').superuserUrl);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
const codeOf = async (call: Promise<unknown>) =>
  toAppError(
    await call.then(
      () => null,
      (error: unknown) => error,
    ),
    log,
  ).code;
const ready = async () => {
  const { statusCode, headers } = await app.raw({ url: '/health/ready' });
  return [statusCode, headers['retry-after']];
};

async function write() {
  const { token } = await app.person();
  const { statusCode, headers } = await app.raw({
    method: 'PATCH',
    url: '/api/accounts/me',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    payload: { name: 'Leila' },
  });
  return [statusCode, headers['retry-after']];
}

describe('a database that refuses', () => {
  it('rejects connections: callers get 503, and the runner records its tasks later', async () => {
    const role = `few_${randomUUID().slice(0, 8)}`;
    await superuser((client) => client.query(`create role ${role} login password 'few' in role nearhand`));
    opened.push(() => superuser((client) => client.query(`drop role ${role}`)));
    const limitTo = (max: number) =>
      superuser((client) => client.query(`alter role ${role} connection limit ${max}`));
    const url = new URL(addressOf());
    url.username = role;
    url.password = 'few';
    const { pool, db } = open(6, url.href);
    const scope = { db, clock: new TestClock(), log } as unknown as TaskScope;
    let finish = () => {};
    const begun = vi.fn();
    const task = defineTask({
      name: 'few-connections.wait',
      payload: z.object({}),
      run: () =>
        new Promise<void>((resolve) => {
          begun();
          finish = resolve;
        }),
    });
    const runner = await startRunner(pool, [task], scope, leaseTimes(15));
    opened.push(runner.stop);
    await app.db.transaction().execute((tx) => enqueue(tx, task, {}, { runAt: atOnce }));
    await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { timeout: 20_000 });
    await limitTo(0);
    await superuser((client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]),
    );
    const refused = () => pool.query('select').catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await refused()).toMatchObject({ code: '53300' }), {
      timeout: 10_000,
    });
    expect(await codeOf(pool.query('select'))).toBe('request/unavailable');
    finish();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await limitTo(-1);
    const left = () => app.pool.query('select from graphile_worker.jobs');
    await vi.waitFor(async () => expect((await left()).rowCount).toBe(0), { timeout: 30_000, interval: 200 });
    expect(begun).toHaveBeenCalledOnce();
  });

  it('rejects writes, as a standby: 503 on the old connections, none on the new ones', async () => {
    const poolSize = app.pool.options.max ?? 8;
    const clients = await Promise.all(Array.from({ length: poolSize }, () => app.pool.connect()));
    for (const client of clients) await client.query('set default_transaction_read_only = on');
    for (const client of clients) client.release();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await ready()).toEqual([503, '5']);
    const insert = () => sql`delete from audits`.execute(app.db);
    for (let tries = 0; tries < poolSize; tries += 1)
      expect(await codeOf(insert())).toBe('request/unavailable');
    await insert();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await ready())[0]).toBe(200);
  });

  it('rejects writes, with a full disk: 503 with Retry-After, and not ready', async () => {
    await app.pool.query(`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await app.pool.query(
      'create trigger full_disk before update of name on accounts execute function full_disk()',
    );
    expect(await write()).toEqual([503, '5']);
    expect(await ready()).toEqual([503, '5']);
    await app.pool.query('drop trigger full_disk on accounts');
    expect((await write())[0]).toBe(200);
  });
});

describe('a connection with a prepared statement', () => {
  const text = '/* kept plan */ select id from spoiled where id = $1';
  const runPrepared = (database: Database) =>
    sql<{ id: unknown }>`${keptPlan} select id from spoiled where id = ${1}`.execute(database.db);

  it('is replaced when another client uses its name or a table changes', async () => {
    await app.pool.query('create table spoiled (id integer)');
    const database = open(1);
    const name = `kept_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    await database.pool.query(`prepare ${name} as select 1`);
    expect(await codeOf(runPrepared(database))).toBe('request/unavailable');
    expect((await runPrepared(database)).rows).toEqual([]);
    await app.pool.query('alter table spoiled alter id type bigint');
    expect(await codeOf(runPrepared(database))).toBe('request/unavailable');
    expect((await runPrepared(database)).rows).toEqual([]);
  });
});

describe('a database that vanished', () => {
  it('blocks calls for at most the statement timeout, except in maintenance; then its connections are replaced', async () => {
    const url = new URL(addressOf());
    const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
    opened.push(proxy.close);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const { pool, db } = open(2, url.href);
    expect([pool.options.query_timeout, pool.options.keepAlive]).toEqual([35_000, true]);
    pool.options.query_timeout = 400;
    pool.options.connectionTimeoutMillis = 400;
    await withoutTimeLimits(db, (connection) => sql`select pg_sleep(0.7)`.execute(connection));
    expect(await codeOf(sql`select pg_sleep(0.7)`.execute(db))).toBe('request/unavailable');
    await sql`select`.execute(db);
    proxy.vanish();
    const call = () => codeOf(db.transaction().execute((tx) => sql`select`.execute(tx)));
    expect(new Set(await Promise.all([call(), call(), call(), call()]))).toEqual(
      new Set(['request/unavailable']),
    );
    proxy.comeBack();
    await sql`select`.execute(db);
  });
});
