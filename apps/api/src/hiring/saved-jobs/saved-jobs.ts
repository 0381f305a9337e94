import { jobPath } from '@nearhand/contract/app-paths';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type SavedJob, savedJobs } from '@nearhand/contract/hiring/saved-jobs';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import type { HiringEvents } from '../hooks.ts';
import { jobCardsOf } from '../jobs/job-cards.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { viewJob } from '../jobs/job-views.ts';
import { closedUnseen, type JobRow } from '../jobs/jobs.columns.ts';

type News = 'changed' | 'filling' | 'ended';
const payload = z.object({
  jobId: z.uuid(),
  news: z.enum(['changed', 'filling', 'ended']),
  event: z.string(),
});
export const savedJobNewsTask = defineTask({ name: 'saved-jobs.notify', payload, run: notifySavers });

const endedStatuses: readonly JobStatus[] = ['filled', 'expired', 'closed'];
const hidden: readonly JobStatus[] = ['in_review', 'rejected', 'suspended'];
const saversPerTransaction = 500;

async function queueNews(tx: Tx, jobId: string, news: News, event: string): Promise<void> {
  if (!(await isSaved(tx, jobId))) return;
  await enqueue(
    tx,
    savedJobNewsTask,
    { jobId, news, event },
    { key: `saved-jobs/${jobId}/${news}/${event}` },
  );
}

/** Notifies people who saved a job of its changes, once per version. */
export const notifySaversOfChanges: HiringEvents['jobsChanged'] = async (tx, _scope, jobs) => {
  for (const { id, version } of jobs) await queueNews(tx, id, 'changed', String(version));
};

/** Notifies savers of the end of a job unless it was hidden by then, and forgets an archived one. */
export const notifySaversOfEnd: HiringEvents['jobMoved'] = async (tx, { clock }, { jobId, from, to }) => {
  if (to === 'archived') await deleteSavesOfJob(tx, jobId);
  if (endedStatuses.includes(to) && !hidden.includes(from))
    await queueNews(tx, jobId, 'ended', clock.now().toISOString());
};

/** Notifies people who saved a job of its last free spot, once per job. */
export const notifySaversOfLastSpot: HiringEvents['lastSpotLeft'] = (tx, jobId) =>
  queueNews(tx, jobId, 'filling', 'once');

const stillTrue: Record<News, (job: JobRow) => boolean> = {
  changed: ({ status }) => status === 'open',
  filling: ({ status, headCount, hiredCount }) => status === 'open' && headCount - hiredCount === 1,
  ended: ({ status }) => endedStatuses.includes(status),
};

/** Notifies savers who have not applied, if the news is still true. Idempotent. */
async function notifySavers(
  scope: TaskScope,
  { jobId, news, event }: z.infer<typeof payload>,
): Promise<void> {
  const job = await findJob(scope.db, jobId);
  if (!stillTrue[news](job)) return;
  const data = {
    jobTitle: job.title,
    businessName: job.businessName,
    timeZone: job.timeZone,
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

/** A paused or suspended job returns to the list when it reopens. */
const publicStatuses = ['open', 'filled', 'expired', 'closed'] as const satisfies readonly JobStatus[];

async function insertSaved(
  tx: Tx,
  row: { accountId: string; jobId: string; at: Date },
  limit: number,
): Promise<boolean> {
  const { accountId, jobId, at } = row;
  const { rows } = await sql<{ jobId: string }>`
    insert into saved_jobs (account_id, job_id, saved_at)
    select ${accountId}::uuid, ${jobId}::uuid, ${at}::timestamptz
    where (select count(*) from saved_jobs where account_id = ${accountId}) < ${limit}
    on conflict (account_id, job_id) do nothing
    returning job_id`.execute(tx);
  if (rows.length > 0) {
    emitRecord(tx, 'saved-job', { id: jobId, workerId: accountId });
    return true;
  }
  // A separate statement, because the insert's snapshot misses rows that another device commits concurrently.
  const existing = await tx
    .selectFrom('saved_jobs')
    .select('jobId')
    .where('accountId', '=', accountId)
    .where('jobId', '=', jobId)
    .executeTakeFirst();
  return existing !== undefined;
}

async function unsaveJob(tx: Tx, accountId: string, jobId: string): Promise<void> {
  const deleted = await tx
    .deleteFrom('saved_jobs')
    .where('accountId', '=', accountId)
    .where('jobId', '=', jobId)
    .returning('jobId')
    .executeTakeFirst();
  if (deleted) emitRecord(tx, 'saved-job', { id: jobId, workerId: accountId });
}

async function deleteSavesOfJob(tx: Tx, jobId: string): Promise<void> {
  const rows = await tx.deleteFrom('saved_jobs').where('jobId', '=', jobId).returning('accountId').execute();
  for (const row of rows) emitRecord(tx, 'saved-job', { id: jobId, workerId: row.accountId });
}

async function findSavedIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('saved_jobs')
    .select('jobId')
    .where('accountId', '=', accountId)
    .orderBy('savedAt', 'desc')
    .execute();
  return rows.map((row) => row.jobId);
}

type SavedRow = { jobId: string; savedAt: Date };

async function findSaved(
  db: Db,
  accountId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<SavedRow[]> {
  const [afterTime, afterId] = after ?? [null, null];
  const { rows } = await sql<SavedRow>`
    select saved.job_id, saved.saved_at from saved_jobs saved join jobs job on job.id = saved.job_id
    where saved.account_id = ${accountId} and job.status in (${sql.join([...publicStatuses])})
      and not (job.status in ('closed', 'expired') and ${closedUnseen})
      and (${afterTime}::timestamptz is null or (saved.saved_at, saved.job_id) < (${afterTime}, ${afterId}::uuid))
    order by saved.saved_at desc, saved.job_id desc limit ${limit}`.execute(db);
  return rows;
}

async function isSaved(db: Db, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('saved_jobs')
    .select('jobId')
    .where('jobId', '=', jobId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function findSavers(db: Db, jobId: string, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id from saved_jobs saved
    where job_id = ${jobId} and (${after}::uuid is null or account_id > ${after}::uuid)
      and not exists (select from applications where applications.job_id = saved.job_id
        and worker_id = saved.account_id and status <> 'withdrawn')
    order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.accountId);
}

export async function deleteSavesOfAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('saved_jobs').where('accountId', '=', accountId).execute();
}

type Kept = { jobId: string; saved: boolean };

/** Saves a job that the caller may see. */
async function saveJob(tx: Tx, scope: Scope, { jobId }: { jobId: string }): Promise<Kept> {
  const { accountId } = scope.actor;
  await viewJob(tx, accountId, jobId);
  const isSaved = await insertSaved(
    tx,
    { accountId, jobId, at: scope.clock.now() },
    hiringLimits.savedJobsMax,
  );
  if (!isSaved) throw new AppError('saved-job/too-many', { limit: hiringLimits.savedJobsMax });
  return { jobId, saved: true };
}

/**
 * Removes one of the caller's saved jobs. A no-op if it is not saved, so it reveals nothing about the job.
 */
async function removeSavedJob(tx: Tx, scope: Scope, { jobId }: { jobId: string }): Promise<Kept> {
  await unsaveJob(tx, scope.actor.accountId, jobId);
  return { jobId, saved: false };
}

async function savedJobIds(db: Db, scope: Scope): Promise<string[]> {
  return findSavedIds(db, scope.actor.accountId);
}

/** Lists the caller's saved jobs, last saved first. */
async function listSavedJobs(db: Db, scope: Scope, input: PageInput): Promise<Page<SavedJob>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findSaved(db, scope.actor.accountId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.savedAt.toISOString(), row.jobId]);
  const cards = await jobCardsOf(
    db,
    page.items.map((row) => row.jobId),
    { knowsPlace: false, from: null },
  );
  const items = page.items.flatMap((row) => {
    const card = cards.get(row.jobId);
    if (!card) return [];
    const { status, questions: _questions, ...job } = card;
    return [{ job, status, savedAt: row.savedAt.toISOString() }];
  });
  return { items, nextCursor: page.nextCursor };
}

export const savedJobsTasks = [savedJobNewsTask];

export const savedJobsRoutes = {
  save: write(savedJobs.save, saveJob),
  remove: write(savedJobs.remove, removeSavedJob),
  ids: read(savedJobs.ids, savedJobIds),
  list: read(savedJobs.list, listSavedJobs),
};
