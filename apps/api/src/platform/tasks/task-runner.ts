import { EventEmitter } from 'node:events';
import { dayMs } from '@nearhand/contract/durations';
import {
  Logger,
  type ParsedCronItem,
  parseCronItems,
  type Runner,
  run,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { runInTime } from './task-deadlines.ts';
import { type LeaseTimes, leaseTasks } from './task-leases.ts';
import { type AnyTask, attemptLimit, queueOf, type TaskQueue, type TaskScope, taskQueues } from './tasks.ts';

/** Number of tasks of each queue that a process runs at once. Mail and push wait for others' servers most of the time. */
const workersOf: Readonly<Record<TaskQueue, number>> = { money: 2, timers: 2, messages: 4, housekeeping: 1 };

/** Interval at which each worker looks for timers that are due; a task without a time is announced at once. An idle server does little else. */
const lookMs: Readonly<Record<TaskQueue, number>> = {
  money: 5_000,
  timers: 5_000,
  messages: 5_000,
  housekeeping: 30_000,
};

/** The queue's own log lines are noise, except errors. */
const queueLog = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ err: meta?.error }, message);
  });

/** Daily tasks run at 03:17 UTC; a server that was down catches up once at its next start. */
const dailyItems = (tasks: readonly AnyTask[]): ParsedCronItem[] =>
  parseCronItems(
    tasks
      .filter((task) => task.daily)
      .map(({ name }) => ({
        task: name,
        match: '17 3 * * *',
        options: { backfillPeriod: dayMs, jobKey: name, maxAttempts: attemptLimit },
      })),
  );

/**
 * The task runner of a server process: workers for each queue (docs/operations.md, Tasks). Several processes may run on one database: each task is taken by one
 * of them. `stop` ends after the tasks that are running; those of a process that ends before are rescued by others.
 */
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
  events.on('pool:listen:error', ({ error }) =>
    scope.log.warn({ err: error }, 'task runner lost a connection'),
  );
  const runners: Runner[] = [];
  for (const queue of taskQueues) {
    const own = tasks.filter((task) => queueOf(task) === queue);
    if (own.length === 0) continue;
    runners.push(
      await run({
        events,
        pgPool: queuePool(pool),
        concurrency: workersOf[queue],
        noHandleSignals: true,
        pollInterval: lookMs[queue],
        taskList: Object.fromEntries(
          own.map((task) => [task.name, (payload: unknown) => runInTime(task, scope, payload)]),
        ),
        parsedCronItems: dailyItems(own),
        logger: queueLog(scope.log),
      }),
    );
  }
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await leases.stop();
    },
  };
}

/**
 * The pool for the queue. The queue records a task's result without awaiting it: whatever PostgreSQL says, the rejection would be unhandled
 * and end the server. The queue does retry timeouts, so every error is reported as one; recording twice is idempotent (ADR 57; docs/operations.md, Database connections).
 */
export function queuePool(pool: pg.Pool): pg.Pool {
  return standIn(pool, {
    connect: (...waiting: Parameters<pg.Pool['connect']>) =>
      waiting.length > 0
        ? pool.connect(...waiting)
        : pool.connect().then(
            (client) => standIn(client, { query: retryingQuery(client) }),
            (error) => Promise.reject(asTimeout(error)),
          ),
  });
}

type AnyCall = (...values: never[]) => unknown;

const retryingQuery =
  (client: pg.PoolClient) =>
  (...values: unknown[]) => {
    const answer: unknown = (client.query as (...values: unknown[]) => unknown)(...values);
    return answer instanceof Promise ? answer.catch((error) => Promise.reject(asTimeout(error))) : answer;
  };

/** A proxy that overrides some methods. */
function standIn<Target extends object>(target: Target, own: Record<string, AnyCall>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const mine = typeof name === 'string' ? own[name] : undefined;
      const value = mine ?? Reflect.get(target, name, target);
      return typeof value === 'function' && !mine ? value.bind(target) : value;
    },
  });
}

function asTimeout(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
