import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { openPool } from './db.ts';
import { createLog } from './log.ts';
import { leaseTasks, unlockTasksOfTheDead } from './task-leases.ts';

let database: TestDatabase;
let opened: ReturnType<typeof openPool>;
const log = createLog({ LOG_LEVEL: 'silent' });
const soon = { timeout: 10_000 };

beforeAll(async () => {
  database = await createTestDatabase();
  opened = openPool(database.url, 4, () => {});
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

/** Which connections hold a lease in this database. */
const holders = async (): Promise<number[]> => {
  const { rows } = await opened.pool.query<{ pid: number }>(
    `select distinct pid from pg_locks where locktype = 'advisory' and classid = 7301
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
};

/** A task that a worker took some minutes ago. */
async function takenTask(worker: string, minutesAgo = 5): Promise<string> {
  const { rows } = await opened.pool.query<{ id: string }>(
    `select (graphile_worker.add_job('leases.test')).id`,
  );
  const id = rows[0]?.id ?? '';
  await opened.pool.query(
    `update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - make_interval(mins => $3), attempts = 1 where id = $1`,
    [id, worker, minutesAgo],
  );
  return id;
}

const lockedBy = async (id: string) => {
  const { rows } = await opened.pool.query<{ locked_by: string | null }>(
    'select locked_by from graphile_worker._private_jobs where id = $1',
    [id],
  );
  return rows[0]?.locked_by;
};

it('frees the task of a worker that is gone, and none of one that is there or has just begun', async () => {
  const leases = leaseTasks(opened.pool, () => ['worker-alive'], log);
  await vi.waitFor(async () => expect(await holders()).toHaveLength(1), soon);
  const [alive, gone, fresh] = [
    await takenTask('worker-alive'),
    await takenTask('worker-gone'),
    await takenTask('worker-fresh', 0),
  ];
  // The leases look by themselves at their start, and may have been faster.
  await unlockTasksOfTheDead(opened.pool);
  expect([await lockedBy(alive), await lockedBy(gone), await lockedBy(fresh)]).toEqual([
    'worker-alive',
    null,
    'worker-fresh',
  ]);
  await leases.stop();
  await vi.waitFor(
    async () => expect(await unlockTasksOfTheDead(opened.pool)).toEqual(['worker-alive']),
    soon,
  );
  expect(await lockedBy(alive)).toBeNull();
});

it('takes its leases again when its connection broke', async () => {
  const leases = leaseTasks(opened.pool, () => ['worker-patient'], log);
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
});
