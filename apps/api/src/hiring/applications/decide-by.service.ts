import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue, enqueueAll, type TaskScope } from '../../platform/tasks/tasks.ts';
import { clock, clockKey } from './applications.clock.ts';
import { clockAt, decideByAt } from './applications.rules.ts';
import { findAwaiting, updateDecideBys } from './decide-by.sql.ts';

/** The task that recalculates decide-by when the start of a job's work is moved. */
export const startMovedTask = { name: 'applications.start-moved', payload: z.object({ jobId: z.uuid() }) };

/** For the jobs slice, in the transaction that moves the start of the work: queues new deadlines for unanswered applications. */
export const startMoved = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, startMovedTask, { jobId }, { key: `${startMovedTask.name}/${jobId}` });

const batch = 200;

/**
 * For the runner: recalculates decide-by and the clocks of unanswered applications from the new start, in batches. One extended by an
 * interview keeps its deadline, up to the start. Idempotent.
 */
export async function moveDecideBys(scope: TaskScope, jobId: string): Promise<void> {
  let after: string | null = null;
  do {
    after = await moveSome(scope, jobId, after);
  } while (after !== null);
}

/** Returns the last id of a full batch; null after the last one. */
const moveSome = (
  { db, clock: time, config }: TaskScope,
  jobId: string,
  after: string | null,
): Promise<string | null> =>
  db.transaction().execute(async (tx) => {
    const now = time.now();
    const rows = await findAwaiting(tx, jobId, after, batch);
    const moved = rows.flatMap((row) => {
      const requested = decideByAt(row.submitted_at, config.DECIDE_BY_DAYS, row.starts_at).getTime();
      const start = row.starts_at?.getTime() ?? Number.POSITIVE_INFINITY;
      const kept = row.interviewed ? Math.min(row.decide_by.getTime(), start) : requested;
      const to = new Date(Math.max(requested, kept, now.getTime()));
      if (to.getTime() === row.decide_by.getTime()) return [];
      return [{ id: row.id, decideBy: to, submittedAt: row.submitted_at }];
    });
    await updateDecideBys(tx, moved);
    await enqueueAll(
      tx,
      clock,
      moved.map(({ id, ...times }) => ({
        payload: { applicationId: id },
        runAt: clockAt(now, times, limits.nudgeDays).next,
        key: clockKey(id),
      })),
    );
    return rows.length === batch ? (rows.at(-1)?.id ?? null) : null;
  });
