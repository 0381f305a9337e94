import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { TestClock } from '../../../test/harness.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { openPool } from '../db.ts';
import { createLog } from '../log.ts';
import { finishDueTasks } from './due-tasks.ts';
import { leaseTimes } from './task-leases.ts';
import { startRunner } from './task-runner.ts';
import { atOnce, defineTask, enqueue, type TaskScope } from './tasks.ts';

let database: TestDatabase;
let opened: ReturnType<typeof openPool>;

beforeAll(async () => {
  database = await createTestDatabase();
  opened = openPool(database.url, 6, () => {});
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

it('runs due tasks, including claimed ones and new ones they enqueue', async () => {
  const { db, pool } = opened;
  const scope = {
    db,
    clock: new TestClock(),
    log: createLog({ LOG_LEVEL: 'silent' }),
  } as unknown as TaskScope;
  const done: string[] = [];
  const second = defineTask({
    name: 'tasks-test.second',
    payload: z.object({}),
    run: async () => void done.push('second'),
  });
  let onTaken = () => {};
  const begun = new Promise<void>((resolve) => {
    onTaken = resolve;
  });
  let finish = () => {};
  const first = defineTask({
    name: 'tasks-test.first',
    payload: z.object({}),
    async run() {
      onTaken();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      // Runs before the runner can take the second task.
      done.push('first');
      await db.transaction().execute((tx) => enqueue(tx, second, {}, { runAt: atOnce }));
    },
  });
  const runner = await startRunner(pool, [first, second], scope, leaseTimes(15));
  await db.transaction().execute((tx) => enqueue(tx, first, {}, { runAt: atOnce }));
  await begun;
  const finished = finishDueTasks(pool, [first, second], scope).then(() => done.push('finished'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(done).toEqual([]);
  finish();
  await finished;
  expect(done).toEqual(['first', 'second', 'finished']);
  await runner.stop();
});

it('queues under a key next to a running or failed task, and a kind that the queue does not know', async () => {
  const keyed = defineTask({
    name: 'tasks-test.keyed',
    payload: z.object({ n: z.number() }),
    run: async () => {},
  });
  const add = (n: number) =>
    opened.db
      .transaction()
      .execute((tx) => enqueue(tx, keyed, { n }, { runAt: atOnce, key: 'tasks-test/1' }));
  const queued = async () => {
    const { rows } = await sql<{ key: string | null; n: number }>`
      select job.key, (payload ->> 'n')::integer as n from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id and task.identifier = ${keyed.name} order by n`.execute(
      opened.db,
    );
    return rows;
  };
  const setTask = (n: number, columns: string) =>
    sql`update graphile_worker._private_jobs set ${sql.raw(columns)} where (payload ->> 'n')::integer = ${n}`.execute(
      opened.db,
    );
  await add(1);
  await add(2);
  expect(await queued()).toEqual([{ key: 'tasks-test/1', n: 2 }]);
  await setTask(2, "locked_at = now(), locked_by = 'worker'");
  await add(3);
  await setTask(3, 'attempts = max_attempts');
  await add(4);
  expect(await queued()).toEqual([
    { key: null, n: 2 },
    { key: null, n: 3 },
    { key: 'tasks-test/1', n: 4 },
  ]);
});
