import { applicantsPath, applicationPath, jobPath } from '@nearhand/contract/app-paths';
import { liveApplicationStatuses } from '@nearhand/contract/hiring/applications';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import type { HiringHooks } from '../hooks.ts';
import { statesBefore } from './applications.rules.ts';
import { findNoticeFacts, findNotified, findOfJob } from './applications.sql.ts';
import { postEndedLines, postShortlistedLine } from './system-messages.ts';

export type Told = { id: string; jobId: string; workerId: string; decideBy: Date };
type ToWorker = 'application-viewed' | 'application-no-response' | 'waitlist-joined';
type ToRecruiters =
  | 'application-withdrawn'
  | 'application-changed'
  | 'application-nudge'
  | 'application-no-response'
  | 'waitlist-joined';

/** Notifies the worker, the recruiters or both of a change to an application. `event` makes a repeatable notice unique. */
export async function notifyOf(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  application: Told,
  options: { worker?: ToWorker; recruiters?: ToRecruiters; event?: string },
): Promise<void> {
  const facts = await findNoticeFacts(tx, application.id, statesBefore('no-response'));
  if (!facts) return;
  const data = {
    jobTitle: facts.jobTitle,
    businessName: facts.businessName,
    workerName: facts.workerName,
    decideBy: application.decideBy.toISOString(),
    timeZone: facts.timeZone,
  };
  const keyOf = (topic: NotificationTopic) => `${topic}/${options.event ?? application.id}`;
  const notices: Notice[] = [];
  const { worker, recruiters } = options;
  if (worker)
    notices.push({
      accountId: application.workerId,
      topic: worker,
      data: { ...data, side: 'worker' },
      path: applicationPath(application.id),
      dedupeKey: keyOf(worker),
    });
  if (recruiters) {
    // One nudge covers all who are waiting for the job.
    const nudge = recruiters === 'application-nudge';
    const decideBy = (facts.firstDecideBy ?? application.decideBy).toISOString();
    notices.push(
      ...facts.recruiters.map((accountId) => ({
        accountId,
        topic: recruiters,
        data: { ...data, side: 'business', ...(nudge ? { waiting: facts.waiting, decideBy } : {}) },
        path: applicantsPath(application.jobId, nudge ? null : application.id),
        dedupeKey: keyOf(recruiters),
      })),
    );
  }
  await notifyAll(tx, scope, notices);
}

/** The chat line next to each notice; null: shortlisted. */
const endingOf = {
  'application-shortlisted': null,
  'application-rejected': 'rejected',
  'application-job-closed': 'job-closed',
} as const;

/** Notifies the workers of some applications what the business did, by notice and in chat, once each. */
export async function notifyWorkers(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  topic: keyof typeof endingOf,
  applicationIds: readonly string[],
  data: { reason?: string } = {},
): Promise<void> {
  const notified = await findNotified(tx, applicationIds);
  const why = endingOf[topic];
  if (why === null) await postShortlistedLine(tx, scope, notified);
  else await postEndedLines(tx, scope, notified, why, data.reason ?? null);
  await notifyAll(
    tx,
    scope,
    notified.map((row) => ({
      accountId: row.workerId,
      topic,
      data: {
        jobTitle: row.jobTitle,
        businessName: row.businessName,
        timeZone: row.timeZone,
        side: 'worker',
        ...(topic === 'application-shortlisted' ? { by: row.decideBy.toISOString() } : {}),
        ...data,
      },
      path: applicationPath(row.id),
      dedupeKey: `${topic}/${row.id}`,
    })),
  );
}

/** The workers with a live application to a job, including those hired. */
export async function liveApplicantsOf(
  db: Db,
  jobId: string,
): Promise<{ applicationId: string; workerId: string }[]> {
  const rows = await findOfJob(db, jobId, liveApplicationStatuses);
  return rows.map((row) => ({ applicationId: row.id, workerId: row.workerId }));
}

/** Notifies workers with live applications that pay, hours, place or spots changed (product.md: material edits notify applicants). */
export const notifyOfJobChange: HiringHooks['jobChanged'] = async (tx, scope, job, edit) => {
  const applicants = await liveApplicantsOf(tx, job.id);
  for (const { workerId } of applicants) emitRecord(tx, 'job', { id: job.id, jobId: job.id, workerId });
  await notifyAll(
    tx,
    scope,
    applicants.map(({ workerId }) => ({
      accountId: workerId,
      topic: 'job-changed',
      data: { jobTitle: job.title, businessName: job.businessName, changes: edit.changes.join(' ') },
      path: jobPath(job.id),
      dedupeKey: `job-changed/${job.id}/${edit.version}`,
    })),
  );
};
