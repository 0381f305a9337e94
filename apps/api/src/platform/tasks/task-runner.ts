import { EventEmitter } from 'node:events';
import { dayMs } from '@nearhand/contract/durations';
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { queuePool } from './queue-pool.ts';
import { type LeaseTimes, leaseTasks } from './task-leases.ts';
import { type AnyTask, attemptLimit, type TaskScope } from './tasks.ts';

const taskList = (tasks: readonly AnyTask[], scope: TaskScope): TaskList =>
  Object.fromEntries(
    tasks.map((task) => [
      task.name,
      async (payload: unknown) => task.run(scope, task.payload.parse(payload)),
    ]),
  );

/** The queue's own log lines are noise, except errors. */
const queueLog = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ err: meta?.error }, message);
  });

/** Daily tasks run at 03:17 UTC; a server that was down catches up once at its next start. */
const dailyItems = (tasks: readonly AnyTask[]) =>
  parseCronItems(
    tasks
      .filter((task) => task.daily)
      .map(({ name }) => ({
        task: name,
        match: '17 3 * * *',
        options: { backfillPeriod: dayMs, jobKey: name, maxAttempts: attemptLimit },
      })),
  );

/** The task runner of a server process. Several may run on one database: each task is taken by one of them. */
export async function startRunner(
  pool: pg.Pool,
  tasks: readonly AnyTask[],
  scope: TaskScope,
  times: LeaseTimes,
): Promise<{ stop(): Promise<void> }> {
  const leases = leaseTasks(pool, scope.log, times);
  const events: WorkerEvents = new EventEmitter();
  // The queue records its pool, not its workers, as the owner of a task.
  events.on('pool:create', ({ workerPool }) => leases.hold(workerPool.id));
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
