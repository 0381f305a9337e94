import { applicantsPath, applicationPath, jobPath } from '@nearhand/contract/app-paths';
import { liveApplicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { postSystemMessages } from '../../talk/messages/system-messages.ts';
import { sharedValues } from '../../talk/notifications/notifications.rules.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import type { HiringEvents, JobChange } from '../hooks.ts';
import { statesBefore } from './applications.rules.ts';
import { findApplicationNoticeFacts, findApplicationsOfJob, findForNotices } from './applications.sql.ts';

type NotifiedApplication = { id: string; jobId: string; workerId: string; decideBy: Date };
type ToWorker = 'application-viewed' | 'application-no-response' | 'waitlist-joined';
type ToRecruiters =
  | 'application-withdrawn'
  | 'application-changed'
  | 'application-nudge'
  | 'application-no-response'
  | 'waitlist-joined';

const perSeries: readonly NotificationTopic[] = ['application-viewed', 'application-no-response'];

/** Notifies the worker, the job's recruiters or both about one application. */
export async function notifyOf(
  tx: Tx,
  scope: ClockScope,
  application: NotifiedApplication,
  options: { worker?: ToWorker; recruiters?: ToRecruiters; event?: string },
): Promise<void> {
  const facts = await findApplicationNoticeFacts(tx, application.id, statesBefore('no-response'));
  if (!facts) return;
  const data = {
    jobTitle: facts.jobTitle,
    businessName: facts.businessName,
    workerName: facts.workerName,
    decideBy: application.decideBy.toISOString(),
    timeZone: facts.timeZone,
  };
  // A series gets one notice of the first look, and one when it ends without a reply.
  const { seriesId } = facts;
  const ofSeries = seriesId && `${seriesId}/${application.workerId}/${data.decideBy}`;
  const keyOf = (topic: NotificationTopic) =>
    `${topic}/${options.event ?? ((perSeries.includes(topic) && ofSeries) || application.id)}`;
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
    const isNudge = recruiters === 'application-nudge';
    const decideBy = (facts.firstDecideBy ?? application.decideBy).toISOString();
    notices.push(
      ...facts.recruiters.map((accountId) => ({
        accountId,
        topic: recruiters,
        data: { ...data, side: 'business', ...(isNudge ? { waiting: facts.waiting, decideBy } : {}) },
        path: applicantsPath(application.jobId, isNudge ? null : application.id),
        dedupeKey: keyOf(recruiters),
      })),
    );
  }
  await notifyAll(tx, scope, notices);
}

const endingOf = {
  'application-shortlisted': null,
  'application-rejected': 'rejected',
  'application-job-closed': 'job-closed',
} as const;

/**
 * Notifies workers of a decision on their applications and posts it into the chat, once per worker and
 * series.
 */
export async function notifyWorkers(
  tx: Tx,
  scope: ClockScope,
  topic: keyof typeof endingOf,
  applicationIds: readonly string[],
  data: { reason?: string } = {},
): Promise<void> {
  const applications = await findForNotices(tx, applicationIds);
  const ending = endingOf[topic];
  // One decision about several shifts of a series is one notice, and one line in the chat.
  const decisions = Map.groupBy(
    applications,
    ({ id, seriesId, workerId }) => `${workerId}/${seriesId ?? id}`,
  );
  for (const shifts of decisions.values())
    if (ending === null) await postShortlistedLine(tx, scope, shifts);
    else
      await postEndedLines(tx, scope, shifts.slice(0, 1), ending, {
        reason: data.reason,
        count: shifts.length,
      });
  await notifyAll(
    tx,
    scope,
    [...decisions.values()].flatMap(([row]) =>
      row
        ? [
            {
              accountId: row.workerId,
              topic,
              data: {
                jobTitle: row.jobTitle,
                businessName: row.businessName,
                timeZone: row.timeZone,
                side: 'worker',
                by: topic === 'application-shortlisted' ? row.decideBy.toISOString() : undefined,
                ...data,
              },
              path: applicationPath(row.id),
              dedupeKey: `${topic}/${row.id}`,
            },
          ]
        : [],
    ),
  );
}

/** Booked people are notified about their work, and people with a new offer about the offer. */
const noticeStatuses = ({ hasNewOffers }: JobChange) =>
  liveApplicationStatuses.filter((status) => status !== 'hired' && !(hasNewOffers && status === 'offered'));

/** Notifies live applicants of changed pay, hours, place or spots (product.md), once for all shifts of an edit. */
export const notifyOfJobChanges: HiringEvents['jobsChanged'] = async (tx, scope, jobs) => {
  const changesByWorker = new Map<string, JobChange[]>();
  for (const job of jobs)
    for (const { workerId } of await findApplicationsOfJob(tx, job.id, noticeStatuses(job))) {
      emitRecord(tx, 'job', { id: job.id, jobId: job.id, workerId });
      changesByWorker.set(workerId, [...(changesByWorker.get(workerId) ?? []), job]);
    }
  await notifyAll(
    tx,
    scope,
    [...changesByWorker].flatMap(([workerId, [job, ...laterJobs]]) =>
      job
        ? {
            accountId: workerId,
            topic: 'job-changed' as const,
            data: {
              ...sharedValues([job, ...laterJobs].map(({ values }) => values)),
              jobTitle: job.title,
              businessName: job.businessName,
              changes: [...new Set([job, ...laterJobs].flatMap(({ changes }) => changes))].join(' '),
              count: laterJobs.length > 0 ? laterJobs.length + 1 : undefined,
            },
            path: jobPath(job.id),
            dedupeKey: `job-changed/${job.id}/${job.version}`,
          }
        : [],
    ),
  );
};

type Ending = 'withdrawn' | 'rejected' | 'no-response' | 'job-closed' | 'position-filled';
type ApplicationParties = { id: string; jobId: string; workerId: string };

/**
 * Posts a system message about the end into the conversations of these applications. `count`: the number of shifts of
 * a series that one line covers. `keyOf`: lines with one key are posted once; by default the application's id.
 */
export const postEndedLines = (
  tx: Tx,
  scope: ClockScope,
  applications: readonly ApplicationParties[],
  ending: Ending,
  {
    reason,
    count = 1,
    keyOf = (id) => id,
  }: { reason?: string; count?: number; keyOf?: (applicationId: string) => string } = {},
): Promise<void> =>
  postSystemMessages(
    tx,
    scope,
    applications.map(({ id, jobId, workerId }) => ({
      jobId,
      workerId,
      line: 'application-ended' as const,
      key: keyOf(id),
      data: { why: ending, reason: reason || undefined, count: count > 1 ? count : undefined },
    })),
  );

const postShortlistedLine = (
  tx: Tx,
  scope: ClockScope,
  shifts: readonly ApplicationParties[],
): Promise<void> =>
  postSystemMessages(
    tx,
    scope,
    shifts.slice(0, 1).map(({ id, jobId, workerId }) => ({
      jobId,
      workerId,
      line: 'shortlisted' as const,
      key: id,
      data: { count: shifts.length > 1 ? shifts.length : undefined },
    })),
  );
