import { minuteMs } from '@nearhand/contract/durations';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db.ts';
import { type GaugeOf, registerGauges } from '../metrics/gauges.ts';
import { deadlinesMs } from './task-deadlines.ts';
import { type AnyTask, queueOf, type TaskQueue, taskQueues } from './tasks.ts';

/** A queue's tasks over all server processes. Ages in seconds. */
type Backlog = {
  waiting: number;
  waitingSeconds: number;
  runningSeconds: number;
  dead: number;
};

/** A queue is late once a due task has waited this long. */
const lateSeconds = 300;
const minuteSeconds = minuteMs / 1_000;

async function findBacklog(db: Db, tasks: readonly AnyTask[]): Promise<Record<TaskQueue, Backlog>> {
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
    const counts = backlog[queues.get(name ?? '') ?? 'timers'];
    counts.waiting += waiting;
    counts.dead += dead;
    counts.waitingSeconds = Math.max(counts.waitingSeconds, waitingSeconds);
    counts.runningSeconds = Math.max(counts.runningSeconds, runningSeconds);
  }
  return backlog;
}

export async function findLateQueues(db: Db, tasks: readonly AnyTask[]): Promise<TaskQueue[]> {
  const backlog = await findBacklog(db, tasks);
  return taskQueues.filter(
    (queue) =>
      backlog[queue].waitingSeconds > lateSeconds ||
      backlog[queue].runningSeconds > deadlinesMs[queue] / 1_000 + minuteSeconds,
  );
}

/** The gauges of one scrape share one query. */
const ttlMs = 1_000;

export function registerBacklogMetrics(app: FastifyInstance, db: Db, tasks: readonly AnyTask[]): void {
  const gauge = (figure: keyof Backlog, help: string): GaugeOf<Record<TaskQueue, Backlog>> => ({
    help,
    labelNames: ['queue'],
    read: (backlog) => taskQueues.map((queue) => [{ queue }, backlog[queue][figure]] as const),
  });
  registerGauges(
    app,
    { what: 'task queues', ttlMs, find: () => findBacklog(db, tasks) },
    {
      tasks_waiting: gauge('waiting', 'Due tasks that no process runs yet'),
      tasks_oldest_waiting_seconds: gauge('waitingSeconds', 'How long the oldest due task has waited'),
      tasks_longest_running_seconds: gauge('runningSeconds', 'How long the longest running task has run'),
      tasks_dead: gauge('dead', 'Tasks that failed as often as they may'),
    },
  );
}
