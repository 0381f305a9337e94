import { EventEmitter } from 'node:events';
import { dayMs } from '@nearhand/contract/durations';
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db, Tx } from './db.ts';
import type { FileStore } from './file-store.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail.ts';
import type { PaymentProvider } from './payment-provider.ts';
import type { PushPort } from './push-port.ts';
import { queuePool } from './queue-pool.ts';
import type { Sign } from './sign.ts';
import { leaseTasks } from './task-leases.ts';

/** What a task may use: no request, no actor; the runner acts for the platform. */
export type TaskScope = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Log;
  mailer: Mailer;
  fileStore: FileStore;
  /** Never called inside a transaction (ADR 0067). */
  provider: PaymentProvider;
  sign: Sign;
  /** Absent where nobody has a device: models, benchmarks, the demo town's past. */
  push?: PushPort;
  /** As in a call's scope: what the demo town's clocks tell is mailed to nobody. */
  unmailed?: true;
};

/** Work done later by the runner. The name is `<slice>.<verb>`; the payload is checked when it runs. */
export type Task<Payload> = {
  name: string;
  payload: z.ZodType<Payload>;
  /** For housekeeping: runs once a day by itself, on one of the server processes, with an empty payload. */
  daily?: true;
  run(scope: TaskScope, payload: Payload): Promise<void>;
};

/** Defines a task; the handler must bear being run twice, since a crash after its effect runs it again. */
export const defineTask = <Payload>(task: Task<Payload>): Task<Payload> => task;

/** When a task without a time of its own is due: by every clock, also one that a test has set back. */
export const atOnce = new Date(0);

/** How often a task is tried: after longer and longer, the last time some sixteen hours after the first. */
export const mostAttempts = 12;

/**
 * Enqueues a task inside the transaction of the change that wants it: both happen or neither.
 * `key` dedupes: a second task under the same key replaces the first while it waits. `runAt` is when a timer is due.
 */
export async function enqueue<Payload>(
  tx: Tx,
  task: { name: string; payload: z.ZodType<Payload> },
  payload: Payload,
  options: { runAt?: Date; key?: string } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task.name}, payload => ${JSON.stringify(payload)}::json,
    run_at => ${options.runAt ?? atOnce}::timestamptz, job_key => ${options.key ?? null}, max_attempts => ${mostAttempts}::integer)`.execute(
    tx,
  );
}

/** The same for many timers of one kind, in one statement. Every item has a key of its own. */
export async function enqueueAll<Payload>(
  tx: Tx,
  task: { name: string; payload: z.ZodType<Payload> },
  items: readonly { payload: Payload; runAt: Date; key: string }[],
): Promise<void> {
  if (items.length === 0) return;
  const specs = items.map(({ payload, runAt, key }) => ({
    identifier: task.name,
    payload,
    run_at: runAt,
    job_key: key,
    max_attempts: mostAttempts,
  }));
  await sql`select count(*) from graphile_worker.add_jobs((select array_agg(spec)
    from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json) as spec))`.execute(
    tx,
  );
}

/** Takes back a waiting task by its key; nothing happens when it ran or never was. */
export async function cancelTask(tx: Tx, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
}

/** The same for many at once, in one statement. */
export async function cancelTasks(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as keys (key)`.execute(tx);
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tasks whose payloads differ; each checks its own
type AnyTask = Task<any>;

const taskList = (tasks: readonly AnyTask[], scope: TaskScope): TaskList =>
  Object.fromEntries(
    tasks.map((task) => [
      task.name,
      async (payload: unknown) => task.run(scope, task.payload.parse(payload)),
    ]),
  );

/** The queue's own lines are noise but for its errors. */
const queueLog = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ err: meta?.error }, message);
  });

/** Daily tasks run at 03:17 UTC; a server that was down then catches up at its next start, once. */
const dailyItems = (tasks: readonly AnyTask[]) =>
  parseCronItems(
    tasks
      .filter((task) => task.daily)
      .map(({ name }) => ({
        task: name,
        match: '17 3 * * *',
        options: { backfillPeriod: dayMs, jobKey: name, maxAttempts: mostAttempts },
      })),
  );

/** The task runner of a server process. Several may run on one database: a task is taken by one of them. */
export async function startRunner(
  pool: pg.Pool,
  tasks: readonly AnyTask[],
  scope: TaskScope,
): Promise<{ stop(): Promise<void> }> {
  const workers = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId));
  const leases = leaseTasks(pool, () => [...workers], scope.log);
  const runner = await run({
    events,
    pgPool: queuePool(pool),
    concurrency: 2,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: taskList(tasks, scope),
    parsedCronItems: dailyItems(tasks),
    logger: queueLog(scope.log),
  });
  runner.events.on('pool:listen:error', ({ error }) =>
    scope.log.warn({ err: error }, 'task runner lost a connection'),
  );
  return {
    async stop() {
      await runner.stop();
      await leases.stop();
    },
  };
}

/**
 * For tests and the demo seed: runs everything that is due at the clock's time, until nothing is. It takes the tasks itself: timers hold the time of our clock,
 * while the queue compares with the database's, by which a timer of a test may be long due, and one that sets itself again would run for ever. What fails waits for
 * the clock to move on.
 * @param stopped ends it between two tasks, with the reason as an error
 * @param scopeAt what a task that was due at that time runs with, for the demo town's past, in which each runs at its own; by default all run at the clock's time
 */
export async function runDueTasks(
  pool: pg.Pool,
  tasks: readonly AnyTask[],
  scope: TaskScope,
  scopeAt: (runAt: Date) => TaskScope = () => scope,
  stopped?: AbortSignal,
): Promise<void> {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  // In the order of the queue's own index; nothing of ours has a priority, so this is the order of their times.
  for (let ran = 0; ran < mostRuns; ran += 1) {
    stopped?.throwIfAborted();
    const due = await pool.query<{ id: string; name: string; payload: unknown; run_at: Date }>(
      `with due as (
         select job.id, task.identifier as name from graphile_worker._private_jobs job
         join graphile_worker._private_tasks task on task.id = job.task_id
         where job.is_available and job.run_at <= $1 and task.identifier = any($2)
         order by job.priority, job.run_at, job.id limit 1 for update of job skip locked
       )
       update graphile_worker._private_jobs job set locked_at = now(), locked_by = 'run-due', attempts = attempts + 1
       from due where job.id = due.id returning job.id, due.name, job.payload, job.run_at`,
      [scope.clock.now(), [...byName.keys()]],
    );
    if (due.rowCount === 0) return;
    for (const { id, name, payload, run_at } of due.rows) {
      const task = byName.get(name);
      try {
        await task?.run(scopeAt(run_at), task.payload.parse(payload));
        await pool.query('delete from graphile_worker._private_jobs where id = $1', [id]);
      } catch (error) {
        // What breaks as the database closes is no failure of the task.
        stopped?.throwIfAborted();
        scope.log.error({ err: error }, `task ${name} failed`);
        await pool.query(
          `update graphile_worker._private_jobs set locked_at = null, locked_by = null, last_error = $2, run_at = $3 where id = $1`,
          [id, String(error), new Date(scope.clock.now().getTime() + retryMs)],
        );
      }
    }
  }
  throw new Error('tasks keep enqueueing due tasks');
}

/**
 * The same beside a runner that takes tasks too: answers when those are done as well, and what they enqueued. For the clock of the journeys (ADR 0058), where
 * one looks next at what the tasks have done.
 */
export async function finishDueTasks(
  pool: pg.Pool,
  tasks: readonly AnyTask[],
  scope: TaskScope,
): Promise<void> {
  const names = tasks.map(({ name }) => name);
  for (;;) {
    await runDueTasks(pool, tasks, scope);
    // In one look: what a task enqueues is there before the task is gone.
    const left = await pool.query(
      `select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
       where task.identifier = any($2) and (job.locked_at is not null or (job.is_available and job.run_at <= $1)) limit 1`,
      [scope.clock.now(), names],
    );
    if (left.rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

const lookAgainMs = 20;
const retryMs = 60_000;
const mostRuns = 100_000;
