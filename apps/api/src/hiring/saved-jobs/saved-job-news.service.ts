import { jobPath } from '@nearhand/contract/app-paths';
import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.service.ts';
import { findJob, type JobRow } from '../jobs/job-states.service.ts';
import type { HiringOutcomes } from '../outcomes.ts';
import { deleteSavesOf, findSavers, isSaved } from './saved-jobs.sql.ts';

type News = 'changed' | 'filling' | 'ended';
/** `event` tells one change or one end of the job from the next. */
const payload = z.object({
  jobId: z.uuid(),
  news: z.enum(['changed', 'filling', 'ended']),
  event: z.string(),
});
export const savedJobNews = { name: 'saved-jobs.notify', payload };

const ends: readonly JobStatus[] = ['filled', 'expired', 'closed'];
const hidden: readonly JobStatus[] = ['in_review', 'rejected', 'suspended'];
const saversPerTransaction = 500;

/** Queues the news of a job for those who saved it; nothing where nobody did. */
async function queueNews(tx: Tx, jobId: string, news: News, event: string): Promise<void> {
  if (!(await isSaved(tx, jobId))) return;
  await enqueue(tx, savedJobNews, { jobId, news, event }, { key: `saved-jobs/${jobId}/${news}/${event}` });
}

/** Pay, hours, place or seats of a saved job changed. */
export const savedJobChanged: HiringOutcomes['jobChanged'] = (tx, _scope, job, edit) =>
  queueNews(tx, job.id, 'changed', String(edit.version));

/**
 * A saved job moved to another status. Its savers learn that it was filled, expired or was closed, unless it was hidden from them by then.
 * An archived one is forgotten.
 */
export const savedJobMoved: HiringOutcomes['jobMoved'] = async (tx, { clock }, { jobId, from, to }) => {
  if (to === 'archived') await deleteSavesOf(tx, jobId);
  if (ends.includes(to) && !hidden.includes(from))
    await queueNews(tx, jobId, 'ended', clock.now().toISOString());
};

/** One seat of several is left; told once in the life of a job. */
export const savedJobFilling: HiringOutcomes['lastSeatLeft'] = (tx, jobId) =>
  queueNews(tx, jobId, 'filling', 'once');

const stillTrue: Record<News, (job: JobRow) => boolean> = {
  changed: ({ status }) => status === 'open',
  filling: ({ status, head_count, hired_count }) => status === 'open' && head_count - hired_count === 1,
  ended: ({ status }) => ends.includes(status),
};

/**
 * Notifies everyone who saved the job and has not applied: applicants have news of their own. Run by a task, after which it may no longer
 * be true; then nobody is notified. A second run repeats no notification.
 */
export async function notifySavers(
  scope: TaskScope,
  { jobId, news, event }: z.infer<typeof payload>,
): Promise<void> {
  const job = await findJob(scope.db, jobId);
  if (!stillTrue[news](job)) return;
  const data = {
    jobTitle: job.title,
    businessName: job.business_name,
    timeZone: job.time_zone,
    side: 'worker',
  };
  let after: string | null = null;
  for (;;) {
    const accountIds: string[] = await findSavers(scope.db, jobId, after, saversPerTransaction);
    if (accountIds.length === 0) return;
    await scope.db.transaction().execute((tx) =>
      notifyAll(
        tx,
        scope,
        accountIds.map((accountId) => ({
          accountId,
          topic: `saved-job-${news}` as const,
          data,
          path: jobPath(jobId),
          dedupeKey: `saved-job-${news}/${jobId}/${event}`,
        })),
      ),
    );
    after = accountIds.at(-1) ?? null;
  }
}
