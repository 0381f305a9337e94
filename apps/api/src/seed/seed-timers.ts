import type pg from 'pg';
import { fill } from '../features/applications/application-endings.service.ts';
import { rankJobTask, rankWorkerTask } from '../features/applications/ranking.service.ts';
import { refundTask } from '../features/payments/payments.queue.ts';
import { providerAt } from '../features/sandbox/sandbox.service.ts';
import type { Db } from '../platform/db.ts';
import { runDueTasks, type Task } from '../platform/tasks.ts';
import type { TownParts } from './town.ts';
import { dayMs, hourMs } from './town-time.ts';

type Parts = TownParts & { db: Db; pool: pg.Pool };
// biome-ignore lint/suspicious/noExplicitAny: tasks of all slices, whose payloads differ
export type Tasks = readonly Task<any>[];

/** Tasks without a time of their own: they would run at the first moment of the past, before what they are about. */
const untimed = [fill.name, rankJobTask.name, rankWorkerTask.name, refundTask.name];

/** Runs the clocks of the town's past at about their times, so that what they ended says when: a step a day, the last days every six hours. */
export async function runPast(parts: Parts, tasks: Tasks, from: Date, until: Date): Promise<void> {
  const timed = tasks.filter(({ name }) => !untimed.includes(name));
  for (
    let at = from.getTime();
    at < until.getTime();
    at += until.getTime() - at > 6 * dayMs ? dayMs : 6 * hourMs
  )
    await runUntil(parts, timed, new Date(at));
}

/** Runs all that is due at a moment, also what has no time of its own; mails nothing. */
export const runUntil = (parts: Parts, tasks: Tasks, at: Date): Promise<void> =>
  runDueTasks(parts.pool, tasks, {
    ...parts,
    clock: { now: () => at },
    provider: providerAt(parts.provider, { clock: { now: () => at } }),
    mailer: { send: async () => {} },
    unmailed: true,
  });
