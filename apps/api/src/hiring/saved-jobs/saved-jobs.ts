import { type SavedJob, savedJobs } from '@nearhand/contract/hiring/saved-jobs';
import { mostSavedJobs } from '@nearhand/contract/hiring/saved-jobs.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { jobCardsOf } from '../jobs/job-cards.ts';
import { viewJob } from '../jobs/job-views.ts';
import {
  deleteSaved,
  findSaved,
  findSavedIds,
  insertSaved,
  notifySavers,
  savedJobNews,
} from './saved-job-news.ts';

type Kept = { jobId: string; saved: boolean };

/**
 * Saves a job that the caller may see. A repeat is a no-op.
 * @throws job/not-found, saved-job/too-many (data: `most`)
 */
async function saveJob(tx: Tx, scope: Scope, { jobId }: { jobId: string }): Promise<Kept> {
  const { accountId } = scope.actor;
  await viewJob(tx, accountId, jobId);
  const saved = await insertSaved(tx, { accountId, jobId, at: scope.clock.now() }, mostSavedJobs);
  if (!saved) throw new AppError('saved-job/too-many', { most: mostSavedJobs });
  return { jobId, saved: true };
}

/** Removes a saved job. A no-op where it is not saved, so it tells nothing about a job. */
async function removeSavedJob(tx: Tx, scope: Scope, { jobId }: { jobId: string }): Promise<Kept> {
  await deleteSaved(tx, scope.actor.accountId, jobId);
  return { jobId, saved: false };
}

/** Ids of the caller's saved jobs, for the hearts on cards; at most `mostSavedJobs`. */
async function savedJobIds(db: Db, scope: Scope): Promise<string[]> {
  return findSavedIds(db, scope.actor.accountId);
}

/** The caller's saved jobs as they are now, last saved first. @throws request/bad-cursor */
async function listSavedJobs(
  db: Db,
  scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: SavedJob[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findSaved(db, scope.actor.accountId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.savedAt.toISOString(), row.jobId]);
  const cards = await jobCardsOf(
    db,
    page.items.map((row) => row.jobId),
    { knowsPlace: false, from: null },
  );
  const items = page.items.flatMap((row) => {
    const found = cards.get(row.jobId);
    if (!found) return [];
    const { status, questions: _questions, ...job } = found;
    return [{ job, status, savedAt: row.savedAt.toISOString() }];
  });
  return { items, nextCursor: page.nextCursor };
}

/** For an account that is removed (ADR 160). */
export { deleteSavedOf } from './saved-job-news.ts';

/** Set when a saved job changed, is about to fill or ended. */
const notify = defineTask({ ...savedJobNews, run: notifySavers });

export const savedJobsTasks = [notify];

export const savedJobsRoutes = {
  save: write(savedJobs.save, saveJob),
  remove: write(savedJobs.remove, removeSavedJob),
  ids: read(savedJobs.ids, savedJobIds),
  list: read(savedJobs.list, listSavedJobs),
};
