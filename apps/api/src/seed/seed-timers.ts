import type pg from 'pg';
import { fillApplicationsTask, notifyOfClosedJobTask } from '../hiring/applications/end-applications.ts';
import { rankJobTask, rankWorkerTask } from '../hiring/matching/ranking.ts';
import { refundTask } from '../money/charges/charges.ts';
import { providerAt } from '../money/sandbox/sandbox.ts';
import type { Db } from '../platform/db.ts';
import { runDueTasks } from '../platform/tasks/due-tasks.ts';
import type { Task, TaskScope } from '../platform/tasks/tasks.ts';
import type { TownParts } from './town/town.ts';

export type Parts = TownParts & { db: Db; pool: pg.Pool };
// biome-ignore lint/suspicious/noExplicitAny: tasks of all slices, with different payloads
export type Tasks = readonly Task<any>[];

/** Tasks without a time, which would otherwise run before their subject exists. */
const untimed = [
  fillApplicationsTask.name,
  notifyOfClosedJobTask.name,
  rankJobTask.name,
  rankWorkerTask.name,
  refundTask.name,
];

export const timersOf = (tasks: Tasks): Tasks => tasks.filter(({ name }) => !untimed.includes(name));

/** Runs each due task at its own time, so that results are dated correctly, and sends no mail. */
export async function runPast(parts: Parts, tasks: Tasks, from: Date, until: Date): Promise<void> {
  let at = from.getTime();
  const scopeAt = (runAt: Date) => {
    at = Math.min(Math.max(at, runAt.getTime() + oneSecondMs), until.getTime());
    return pastScope(parts, new Date(at));
  };
  await runDueTasks(parts.pool, tasks, pastScope(parts, until), scopeAt, parts.stopped);
}

/** Added because a runner is never early. */
const oneSecondMs = 1_000;

export const pastScope = (parts: Parts, at: Date): TaskScope => ({
  ...parts,
  clock: { now: () => at },
  provider: providerAt(parts.provider, { clock: { now: () => at } }),
  mailer: { send: async () => {} },
  unmailed: true,
});
