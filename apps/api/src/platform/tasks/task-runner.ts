import { EventEmitter } from 'node:events';
import { dayMs } from '@nearhand/contract/durations';
import { dailyTasksAt } from '@nearhand/contract/trust/platform-health.rules';
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

/** Concurrent tasks per process. Mail and push mostly wait for other servers. */
const workersOf: Readonly<Record<TaskQueue, number>> = { money: 2, timers: 2, messages: 4, housekeeping: 1 };

/** Interval between polls for due timers; tasks without a time are announced at once. */
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

/** A server that was down catches up once at its next start. */
const dailyItems = (tasks: readonly AnyTask[]): ParsedCronItem[] =>
  parseCronItems(
    tasks
      .filter((task) => task.daily)
      .map(({ name }) => ({
        task: name,
        match: `${dailyTasksAt.minute} ${dailyTasksAt.hour} * * *`,
        options: { backfillPeriod: dayMs, jobKey: name, maxAttempts: attemptLimit },
      })),
  );

/** `stop` waits for running tasks; other processes rescue a killed one's (docs/operations.md, Tasks). */
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
    const queueTasks = tasks.filter((task) => queueOf(task) === queue);
    if (queueTasks.length === 0) continue;
    runners.push(
      await run({
        events,
        pgPool: queuePool(pool),
        concurrency: workersOf[queue],
        noHandleSignals: true,
        pollInterval: lookMs[queue],
        taskList: Object.fromEntries(
          queueTasks.map((task) => [task.name, (payload: unknown) => runInTime(task, scope, payload)]),
        ),
        parsedCronItems: dailyItems(queueTasks),
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
 * graphile-worker leaves result rejections unhandled but retries timeouts, so report errors as such (ADR 57).
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

function standIn<Target extends object>(target: Target, overrides: Record<string, AnyCall>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const override = typeof name === 'string' ? overrides[name] : undefined;
      const value = override ?? Reflect.get(target, name, target);
      return typeof value === 'function' && !override ? value.bind(target) : value;
    },
  });
}

function asTimeout(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
