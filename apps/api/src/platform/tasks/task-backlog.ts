import { minuteMs } from '@nearhand/contract/durations';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Db } from '../db.ts';
import { deadlinesMs } from './task-deadlines.ts';
import { type AnyTask, queueOf, type TaskQueue, taskQueues } from './tasks.ts';

/** What waits and runs in a queue, on all server processes together. Ages in seconds. */
export type Backlog = {
  waiting: number;
  /** How long the oldest due task has waited. */
  waitingSeconds: number;
  /** How long the longest running task has run. */
  runningSeconds: number;
  /** Tasks that failed as often as they may. */
  dead: number;
};

/** A queue is late once a due task has waited this long. */
const lateSeconds = 300;
const minuteSeconds = minuteMs / 1_000;

export async function findBacklog(db: Db, tasks: readonly AnyTask[]): Promise<Record<TaskQueue, Backlog>> {
  const { rows } = await sql<Backlog & { name: string | null }>`select task_identifier as name,
      count(*) filter (where attempts < max_attempts and locked_at is null and run_at <= now()) as waiting,
      coalesce(extract(epoch from max(now() - greatest(run_at, created_at))
        filter (where attempts < max_attempts and locked_at is null and run_at <= now())), 0)::double precision as "waitingSeconds",
      coalesce(extract(epoch from max(now() - locked_at)), 0)::double precision as "runningSeconds",
      count(*) filter (where attempts >= max_attempts and locked_at is null) as dead
    from graphile_worker.jobs where run_at <= now() or locked_at is not null or attempts >= max_attempts
    group by 1`.execute(db);
  const queues = new Map(tasks.map((task) => [task.name, queueOf(task)]));
  const backlog = Object.fromEntries(
    taskQueues.map((queue) => [queue, { waiting: 0, waitingSeconds: 0, runningSeconds: 0, dead: 0 }]),
  ) as Record<TaskQueue, Backlog>;
  for (const { name, waiting, waitingSeconds, runningSeconds, dead } of rows) {
    const of = backlog[queues.get(name ?? '') ?? 'timers'];
    of.waiting += waiting;
    of.dead += dead;
    of.waitingSeconds = Math.max(of.waitingSeconds, waitingSeconds);
    of.runningSeconds = Math.max(of.runningSeconds, runningSeconds);
  }
  return backlog;
}

/** Queues whose due tasks do not get their turn, or whose running ones do not end. */
export async function findLateQueues(db: Db, tasks: readonly AnyTask[]): Promise<TaskQueue[]> {
  const backlog = await findBacklog(db, tasks);
  return taskQueues.filter(
    (queue) =>
      backlog[queue].waitingSeconds > lateSeconds ||
      backlog[queue].runningSeconds > deadlinesMs[queue] / 1_000 + minuteSeconds,
  );
}

const gauges: Record<keyof Backlog, [name: string, help: string]> = {
  waiting: ['tasks_waiting', 'Due tasks that no process runs yet'],
  waitingSeconds: ['tasks_oldest_waiting_seconds', 'How long the oldest due task has waited'],
  runningSeconds: ['tasks_longest_running_seconds', 'How long the longest running task has run'],
  dead: ['tasks_dead', 'Tasks that failed as often as they may'],
};
/** The gauges of one scrape share one query. */
const sharedMs = 1_000;

/** Gauges of every queue, read from the database when Prometheus asks. Without an answer they are absent, and the others are not. */
export function registerBacklogMetrics({ metrics, log }: FastifyInstance, db: Db, tasks: readonly AnyTask[]) {
  let asked: { at: number; answer: Promise<Record<TaskQueue, Backlog> | null> } | null = null;
  const ask = () => {
    if (!asked || performance.now() - asked.at > sharedMs) {
      const answer = findBacklog(db, tasks).catch((error) => {
        log.warn({ err: error }, 'the backlog of tasks cannot be read');
        return null;
      });
      asked = { at: performance.now(), answer };
    }
    return asked.answer;
  };
  for (const [what, [name, help]] of Object.entries(gauges) as [keyof Backlog, [string, string]][])
    new Gauge({
      ...{ name, help, labelNames: ['queue'], registers: [metrics] },
      async collect() {
        const backlog = await ask();
        if (backlog === null) return this.reset();
        for (const queue of taskQueues) this.set({ queue }, backlog[queue][what]);
      },
    });
}
