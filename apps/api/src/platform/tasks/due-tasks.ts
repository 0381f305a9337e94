import { addMs } from '@nearhand/contract/durations';
import type pg from 'pg';
import { dueRunner } from './task-leases.ts';
import { type AnyTask, queueOf, type TaskScope } from './tasks.ts';

/** Uses our clock: by the database's, a test's rescheduling timer would run forever. */
export async function runDueTasks(
  pool: pg.Pool,
  tasks: readonly AnyTask[],
  scope: TaskScope,
  scopeAt: (runAt: Date) => TaskScope = () => scope,
  stopped?: AbortSignal,
): Promise<void> {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  // The order of the queue's index is by time, since no task has a priority.
  for (let ran = 0; ran < maxRuns; ran += 1) {
    stopped?.throwIfAborted();
    const dueTasks = await pool.query<{ id: string; name: string; payload: unknown; run_at: Date }>(
      `with due as (
         select job.id, task.identifier as name from graphile_worker._private_jobs job
         join graphile_worker._private_tasks task on task.id = job.task_id
         where job.is_available and job.run_at <= $1 and task.identifier = any($2)
         order by job.priority, job.run_at, job.id limit 1 for update of job skip locked
       )
       update graphile_worker._private_jobs job set locked_at = now(), locked_by = $3, attempts = attempts + 1
       from due where job.id = due.id returning job.id, due.name, job.payload, job.run_at`,
      [scope.clock.now(), [...byName.keys()], dueRunner],
    );
    if (dueTasks.rowCount === 0) return;
    for (const { id, name, payload, run_at } of dueTasks.rows) {
      const task = byName.get(name);
      try {
        if (task) await task.run(asInItsQueue(task, scopeAt(run_at)), task.payload.parse(payload));
        await pool.query('delete from graphile_worker._private_jobs where id = $1', [id]);
      } catch (error) {
        // An error caused by closing the database is not the task's failure.
        stopped?.throwIfAborted();
        scope.log.error({ err: error }, `task ${name} failed`);
        await pool.query(
          `update graphile_worker._private_jobs set locked_at = null, locked_by = null, last_error = $2, run_at = $3 where id = $1`,
          [id, String(error), addMs(scope.clock.now(), retryMs)],
        );
      }
    }
  }
  throw new Error('tasks keep enqueueing due tasks');
}

/** Resolves when no task is due, including those that due tasks enqueue, for the journeys' clock (ADR 58). */
export async function finishDueTasks(
  pool: pg.Pool,
  tasks: readonly AnyTask[],
  scope: TaskScope,
): Promise<void> {
  const names = tasks.map(({ name }) => name);
  for (;;) {
    await runDueTasks(pool, tasks, scope);
    // One query, since a task enqueues its tasks before it is deleted.
    const pending = await pool.query(
      `select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
       where task.identifier = any($2) and (job.locked_at is not null or (job.is_available and job.run_at <= $1)) limit 1`,
      [scope.clock.now(), names],
    );
    if (pending.rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/** Fails a task that sends mail or push from a queue other than `messages`. */
function asInItsQueue(task: AnyTask, scope: TaskScope): TaskScope {
  if (queueOf(task) === 'messages') return scope;
  const send = () => Promise.reject(new Error(`${task.name} sends, so it belongs to the queue messages`));
  return { ...scope, mailer: { send }, push: { send } };
}

const lookAgainMs = 20;
const retryMs = 60_000;
const maxRuns = 100_000;
