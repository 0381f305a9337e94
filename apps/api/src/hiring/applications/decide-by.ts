import { decideByAt, isDueBeforeStart } from '@nearhand/contract/hiring/decide-by.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { emitRows } from '../../platform/realtime/publish-records.ts';
import { defineTask, enqueue, enqueueAll, type TaskScope } from '../../platform/tasks/tasks.ts';
import { decideByState } from './applications.rules.ts';
import { applicationTimerTask, clockKey } from './applications.ts';

export const startMovedTask = defineTask({
  name: 'applications.start-moved',
  payload: z.object({ jobId: z.uuid() }),
  run: (scope, { jobId }) => moveDecideBys(scope, jobId),
});

/** Queues new deadlines for the applications of a job whose start has moved. */
export const queueNewDeadlines = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, startMovedTask, { jobId }, { key: `${startMovedTask.name}/${jobId}` });

const batch = 200;

/**
 * Recalculates deadlines after the start of the work moved, of every shift in its series that an applicant
 * applied for, by the earliest shift. A deadline extended by an interview stays.
 */
async function moveDecideBys(scope: TaskScope, jobId: string): Promise<void> {
  let after: string | null = null;
  do {
    after = await moveSome(scope, jobId, after);
  } while (after !== null);
}

const moveSome = (
  { db, clock: time, config }: TaskScope,
  jobId: string,
  after: string | null,
): Promise<string | null> =>
  db.transaction().execute(async (tx) => {
    const now = time.now();
    const rows = await lockAwaiting(tx, jobId, after, batch);
    const changes = rows.flatMap((row) => {
      const { submittedAt, firstStartsAt, timeZone } = row;
      const atSubmit = decideByAt(submittedAt, config.DECIDE_BY_DAYS, firstStartsAt, timeZone);
      // A start that moved so near that the deadline has passed leaves half the time until then.
      const requested = (
        atSubmit <= now && isDueBeforeStart(submittedAt, config.DECIDE_BY_DAYS, firstStartsAt, timeZone)
          ? decideByAt(now, config.DECIDE_BY_DAYS, firstStartsAt, timeZone)
          : atSubmit
      ).getTime();
      const start = row.startsAt?.getTime() ?? Number.POSITIVE_INFINITY;
      const earliest = row.interviewed ? Math.min(row.decideBy.getTime(), start) : requested;
      const to = new Date(Math.max(requested, earliest, now.getTime()));
      if (to.getTime() === row.decideBy.getTime()) return [];
      return [{ id: row.id, decideBy: to, submittedAt }];
    });
    await updateDecideBys(tx, changes);
    await enqueueAll(
      tx,
      applicationTimerTask,
      changes.map(({ id, ...times }) => ({
        payload: { applicationId: id },
        runAt: decideByState(now, times, hiringLimits.nudgeDays).next,
        key: clockKey(id),
      })),
    );
    return rows.length === batch ? (rows.at(-1)?.id ?? null) : null;
  });

/** Locks the job's unanswered applications and the same workers' other applications for its series, in order of id. */
async function lockAwaiting(tx: Tx, jobId: string, afterId: string | null, limit: number) {
  const { rows } = await sql<{
    id: string;
    submittedAt: Date;
    decideBy: Date;
    startsAt: Date | null;
    firstStartsAt: Date | null;
    timeZone: string;
    interviewed: boolean;
  }>`
    select application.id, application.submitted_at, application.decide_by, job.starts_at, job.time_zone,
      (select min(shift.starts_at) from applications other join jobs shift on shift.id = other.job_id
        where other.worker_id = application.worker_id and ${isAwaiting(sql`other`)}
          and (shift.id = job.id or shift.series_id = job.series_id)) as first_starts_at,
      exists (select from interview_applications where application_id = application.id) as interviewed
    from applications application join jobs job on job.id = application.job_id
    where application.job_id in (select shift.id from jobs moved join jobs shift on shift.id = moved.id or shift.series_id = moved.series_id
        where moved.id = ${jobId})
      and application.worker_id in (select worker_id from applications waiting
        where waiting.job_id = ${jobId} and ${isAwaiting(sql`waiting`)})
      and ${isAwaiting(sql`application`)}
      ${afterId === null ? sql`` : sql`and application.id > ${afterId}::uuid`}
    order by application.id limit ${limit} for update of application`.execute(tx);
  return rows;
}

const isAwaiting = (application: RawBuilder<unknown>) =>
  sql`${application}.stage in ('new', 'shortlisted', 'interviewing')`;

async function updateDecideBys(tx: Tx, moved: readonly { id: string; decideBy: Date }[]): Promise<void> {
  if (moved.length === 0) return;
  const { rows } = await sql<{
    id: string;
    jobId: string;
    workerId: string;
    businessId: string;
  }>`update applications set decide_by = input.decide_by
    from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ decideBy }) => decideBy.toISOString())}::timestamptz[])
      as input (id, decide_by) where applications.id = input.id
    returning applications.id, job_id, worker_id, business_id`.execute(tx);
  emitRows(tx, 'application', rows);
}
