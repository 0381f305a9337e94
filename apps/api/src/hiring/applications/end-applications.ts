import { applicationPath } from '@nearhand/contract/app-paths';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  atOnce,
  cancelTasks,
  defineTask,
  enqueue,
  enqueueAll,
  type TaskScope,
} from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { hiringHooks } from '../hooks.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { notifyOf, notifyWorkers, postEndedLines } from './application-notices.ts';
import {
  awaitsAnswer,
  batchesByWorker,
  decideByState,
  nextApplicationStatus,
  statesBefore,
} from './applications.rules.ts';
import {
  clearWaitlist,
  endApplications,
  findLeaving,
  holdFilledJob,
  lockApplication,
  moveApplication,
} from './applications.sql.ts';
import { applicationTimerTask, clockKey, withdrawApplication } from './applications.ts';

export const fillApplicationsTask = defineTask({
  name: 'applications.fill',
  payload: z.object({ jobId: z.uuid() }),
  run: (scope, { jobId }) => fillApplications(scope, jobId),
});

/** Queues the end of the remaining applications of a filled job, which may be thousands. */
export const fillSoon = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, fillApplicationsTask, { jobId });

const closing = z.object({
  applicationIds: z.array(z.uuid()).min(1),
  reason: z.string().nullable(),
  at: z.iso.datetime(),
});

export const notifyOfClosedJobTask = defineTask({
  name: 'applications.tell-closed',
  payload: closing,
  run: notifyOfClosing,
});

/** Workers notified per transaction: 5,000 at once would lock their rows for too long. */
const batch = 200;

/** Ends the live applications of closed jobs at once; tasks notify the workers (ADR 132). They see `reason`. */
export async function closeApplicationsOfJobs(
  tx: Tx,
  scope: Scope,
  jobIds: readonly string[],
  reason: string | null = null,
): Promise<number> {
  const at = scope.clock.now();
  const ended: Awaited<ReturnType<typeof endApplications>> = [];
  for (const jobId of jobIds) {
    ended.push(
      ...(await endApplications(tx, {
        jobId,
        from: statesBefore('close'),
        to: 'job_closed',
        actor: scope.actor.accountId,
        action: 'close',
        reason,
        at,
      })),
    );
    await clearWaitlist(tx, jobId);
  }
  // A worker's shifts of one series stay together in a batch, so that they cause one notice.
  const batches = batchesByWorker(ended, batch);
  const ids = batches.flat();
  await cancelTasks(tx, ids.map(clockKey));
  await hiringHooks.on.applicationsEnded(tx, scope, ids, { by: scope.actor.accountId, reason });
  await hiringHooks.on.offersEnded(tx, scope, ids, { by: scope.actor.accountId, to: 'withdrawn', reason });
  await enqueueAll(
    tx,
    notifyOfClosedJobTask,
    batches.map((applicationIds) => ({
      payload: { applicationIds, reason, at: at.toISOString() },
      runAt: atOnce,
      key: `${notifyOfClosedJobTask.name}/${applicationIds[0]}`,
    })),
  );
  return ended.length;
}

/** Notifies some workers of a closed job, as of the closing time. Idempotent. */
async function notifyOfClosing(
  scope: TaskScope,
  { applicationIds, reason, at }: z.infer<typeof closing>,
): Promise<void> {
  const closingScope = { ...scope, clock: { now: () => new Date(at) } };
  await scope.db
    .transaction()
    .execute((tx) =>
      notifyWorkers(tx, closingScope, 'application-job-closed', applicationIds, { reason: reason ?? '' }),
    );
}

/** Nudges recruiters on days 3, 7 and 12, and ends an application at its decide-by (product.md, States). */
export async function applyDecideBy(scope: TaskScope, applicationId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockApplication(tx, applicationId, null);
    if (!row || !awaitsAnswer(row.status)) return;
    const now = scope.clock.now();
    const application = { id: row.id, jobId: row.jobId, workerId: row.workerId, decideBy: row.decideBy };
    const times = { submittedAt: row.submittedAt, decideBy: row.decideBy };
    const { over, nudgeDay, next } = decideByState(now, times, hiringLimits.nudgeDays);
    const to = nextApplicationStatus(row.status, 'no-response', 'timer');
    if (over && to !== null) {
      await moveApplication(tx, {
        id: newId(now),
        applicationId,
        actor: 'timer',
        action: 'no-response',
        from: row.status,
        to,
        at: now,
      });
      await hiringHooks.on.applicationsEnded(tx, scope, [row.id], { by: 'timer', reason: null });
      await postEndedLines(tx, scope, [row], 'no-response');
      await notifyOf(tx, scope, application, {
        worker: 'application-no-response',
        recruiters: 'application-no-response',
      });
      return;
    }
    // One nudge a day covers all applicants of a job or series.
    if (nudgeDay !== null) {
      const { seriesId } = await findJob(tx, row.jobId);
      await notifyOf(tx, scope, application, {
        recruiters: 'application-nudge',
        event: `${seriesId ?? row.jobId}/${now.toISOString().slice(0, 10)}`,
      });
    }
    await enqueue(tx, applicationTimerTask, { applicationId }, { runAt: next, key: clockKey(applicationId) });
  });
}

/**
 * Ends unanswered applications after the last hire, in batches; stops if a spot opens in the meantime.
 * Idempotent.
 */
async function fillApplications(scope: TaskScope, jobId: string): Promise<void> {
  while ((await fillSome(scope, jobId)) === batch);
}

const fillSome = (scope: TaskScope, jobId: string): Promise<number> =>
  scope.db.transaction().execute(async (tx) => {
    const job = await holdFilledJob(tx, jobId);
    if (!job) return 0;
    const ended = await endApplications(tx, {
      jobId,
      from: statesBefore('fill'),
      to: 'position_filled',
      actor: 'timer',
      action: 'fill',
      reason: null,
      at: scope.clock.now(),
      limit: batch,
    });
    const ids = ended.map(({ id }) => id);
    await cancelTasks(tx, ids.map(clockKey));
    await hiringHooks.on.applicationsEnded(tx, scope, ids, { by: 'timer', reason: null });
    // One hire fills all dates of a block: each rival is told once (ADR 414).
    const day = scope.clock.now().toISOString().slice(0, 10);
    const keyOf = (id: string) => (job.asBlock ? `${job.seriesId}/${day}` : id);
    await postEndedLines(tx, scope, ended, 'position-filled', { keyOf });
    await notifyAll(
      tx,
      scope,
      ended.map(({ id, workerId }) => ({
        accountId: workerId,
        topic: 'application-position-filled',
        data: {
          jobTitle: job.title,
          businessName: job.businessName,
          timeZone: job.timeZone,
          side: 'worker',
        },
        path: applicationPath(id),
        dedupeKey: `application-position-filled/${keyOf(id)}`,
      })),
    );
    return ended.length;
  });

/** Withdraws all applications of a leaving account, as the worker would. */
export async function withdrawAllOf(tx: Tx, scope: Scope): Promise<void> {
  for (const applicationId of await findLeaving(tx, scope.actor.accountId))
    await withdrawApplication(tx, scope, { applicationId });
}
