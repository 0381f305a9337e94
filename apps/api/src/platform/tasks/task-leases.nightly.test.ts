import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { openPool } from '../db.ts';
import { createLog } from '../log.ts';
import { createPgbouncer, hasPgbouncer } from '../test-services/pgbouncer.fixtures.ts';
import { leaseTasks } from './task-leases.ts';

let database: TestDatabase;
let opened: ReturnType<typeof openPool>;
const log = createLog({ LOG_LEVEL: 'silent' });
const soon = { timeout: 30_000, interval: 50 };
/**
 * Short times: the task lasts many checks, as a three-minute task does with the usual times, and longer than
 * the polling interval.
 */
const times = { lookMs: 150, graceMs: 300 };
const longMs = 8_000;

beforeAll(async () => {
  database = await createTestDatabase();
  opened = openPool(database.url, 6, () => {});
  await opened.pool.query('create table runs (pid integer not null, ended_at timestamptz)');
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});
beforeEach(() => opened.pool.query('truncate runs, graphile_worker._private_jobs'));

const rowsOf = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
  (await opened.pool.query<Row>(text)).rows;

const holders = async (): Promise<number[]> =>
  (
    await rowsOf<{ pid: number }>(
      `select distinct pid from pg_locks where locktype = 'advisory' and classid = 7301
         and database = (select oid from pg_database where datname = current_database())`,
    )
  ).map(({ pid }) => pid);

describe('two processes', () => {
  const running: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of running.splice(0)) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await gone;
    }
  });

  type Where = { mode?: string; url?: string; pooledUrl?: string };
  async function startProcess(lastsMs: number, where: Where = {}): Promise<ChildProcess> {
    const { mode = '', url = database.url, pooledUrl = '' } = where;
    const script = path.resolve(import.meta.dirname, '../../../test/task-process.ts');
    const settings = [lastsMs, times.lookMs, times.graceMs].map(String);
    const child = spawn(process.execPath, [script, url, ...settings, mode, pooledUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve());
      child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)));
    });
    return child;
  }
  const enqueueLong = () =>
    opened.pool.query(`select graphile_worker.add_job('leases-test.long', '{}', max_attempts => 12)`);
  const runs = () =>
    rowsOf<{ pid: number; ended: boolean }>('select pid, ended_at is not null as ended from runs');
  const began = async () => {
    await vi.waitFor(async () => expect(await runs()).toHaveLength(1), soon);
  };
  const left = async () => (await rowsOf('select 1 from graphile_worker.jobs')).length;

  it('run a long task once', async () => {
    await Promise.all([startProcess(longMs), startProcess(longMs)]);
    await enqueueLong();
    await began();
    await vi.waitFor(async () => expect(await left()).toBe(0), soon);
    expect(await runs()).toEqual([{ pid: expect.any(Number), ended: true }]);
  });

  it('run it twice if the lease belongs to another owner than the task', async () => {
    await Promise.all([
      startProcess(longMs, { mode: 'unleased' }),
      startProcess(longMs, { mode: 'unleased' }),
    ]);
    await enqueueLong();
    await began();
    await vi.waitFor(async () => expect((await runs()).length).toBeGreaterThan(1), soon);
  });

  it('rescue the task of a killed process within a few polls', async () => {
    const first = await startProcess(600_000);
    await enqueueLong();
    await began();
    await startProcess(10);
    first.kill('SIGKILL');
    await vi.waitFor(async () => expect(await left()).toBe(0), soon);
    expect((await runs()).map(({ ended }) => ended)).toEqual([false, true]);
  });

  describe.skipIf(!hasPgbouncer)('behind PgBouncer in transaction mode', () => {
    let pooler: Awaited<ReturnType<typeof createPgbouncer>>;
    let pooledUrl: string;
    let requests: ReturnType<typeof openPool>;
    beforeAll(async () => {
      const { hostname, port, username, password } = new URL(database.url);
      const login = { user: username, password: decodeURIComponent(password) };
      pooler = await createPgbouncer({ host: hostname, port: Number(port), ...login });
      pooledUrl = Object.assign(new URL(database.url), { host: `127.0.0.1:${pooler.port}` }).href;
      requests = openPool(pooledUrl, 2, () => {}, undefined, { pooled: true });
    });
    afterAll(async () => {
      await requests.close();
      await pooler.close();
    });
    /** Enqueues through the pooler, as a request does. */
    const enqueueThere = () =>
      requests.pool.query(`select graphile_worker.add_job('leases-test.long', '{}', max_attempts => 12)`);

    it('rescue the task of a killed process, with leases on the direct address', async () => {
      const first = await startProcess(600_000, { pooledUrl });
      await enqueueThere();
      await began();
      await startProcess(10, { pooledUrl });
      first.kill('SIGKILL');
      await vi.waitFor(async () => expect(await left()).toBe(0), soon);
      expect((await runs()).map(({ ended }) => ended)).toEqual([false, true]);
    });

    it('end a lease with its process on the direct address', async () => {
      const only = await startProcess(10, { pooledUrl: '' });
      await vi.waitFor(async () => expect((await holders()).length).toBeGreaterThan(0), soon);
      only.kill('SIGKILL');
      await vi.waitFor(async () => expect(await holders()).toEqual([]), soon);
    });

    it('lose or leak a lease through the pooler, so leases use the direct address', async () => {
      // The pooler drops the connection of a client that disconnects during a statement, but otherwise keeps it: one
      // process may be lucky.
      for (let attempts = 0; attempts < 6; attempts += 1) {
        const only = await startProcess(10, { mode: 'pooled', url: pooledUrl });
        await wait(2_000);
        const isLost = (await holders()).length === 0;
        only.kill('SIGKILL');
        await wait(2_000);
        const isLeftOver = (await holders()).length > 0;
        if (isLost || isLeftOver) return;
      }
      expect.fail('every lease lasted as long as its process');
    });
  });
});

describe('a lease', () => {
  it('is renewed when its connection breaks, and ends when stopped', async () => {
    const leases = leaseTasks(opened.pool, log, times);
    leases.hold('pool-patient');
    await vi.waitFor(async () => expect(await holders()).toHaveLength(1), soon);
    const [first] = await holders();
    const other = new pg.Client(database.url);
    await other.connect();
    await other.query('select pg_terminate_backend($1)', [first]);
    await other.end();
    await vi.waitFor(async () => {
      const now = await holders();
      expect(now).toHaveLength(1);
      expect(now).not.toContain(first);
    }, soon);
    await leases.stop();
    await vi.waitFor(async () => expect(await holders()).toEqual([]), soon);
  });
});
