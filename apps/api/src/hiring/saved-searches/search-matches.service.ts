import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { atOnce, enqueue, enqueueAll, type TaskScope } from '../../platform/tasks/tasks.ts';
import { readersOf, zoneOfReader } from '../../talk/notification-settings/readers.service.ts';
import { paceOf } from '../../talk/notifications/notifications.service.ts';
import { findJob } from '../jobs/job-states.service.ts';
import { learnWords } from '../nearby/search-terms.service.ts';
import type { HiringOutcomes } from '../outcomes.ts';
import { dueAlerts } from './job-alerts.service.ts';
import { dueOf } from './saved-searches.rules.ts';
import {
  deleteAlertsOf,
  findFollowers,
  findMatches,
  insertAlerts,
  type Match,
  type MatchPage,
  type NewAlert,
} from './search-matches.sql.ts';

const openedJob = z.object({ jobId: z.uuid(), openedAt: z.iso.datetime() });
export const matchJob = { name: 'saved-searches.match', payload: openedJob };
const endedJob = z.object({ jobId: z.uuid() });
export const forgetJob = { name: 'saved-searches.forget-job', payload: endedJob };

/** Candidates per page, so that no transaction grows with the number of searches. */
export const candidatesPerPage = 1_000;
const forgottenAtOnce = 5_000;

/** A job ended for good in these. */
const ends: readonly JobStatus[] = ['closed', 'archived'];

/** Jobs opened, by a person, a timer or an import: finds whom each is new to, soon after. */
export const jobsOpened: HiringOutcomes['jobsOpened'] = (tx, { clock }, jobIds) => {
  const now = clock.now();
  return enqueueAll(
    tx,
    matchJob,
    jobIds.map((jobId) => ({
      payload: { jobId, openedAt: now.toISOString() },
      runAt: atOnce,
      key: `${matchJob.name}/${jobId}`,
    })),
  );
};

/** A job moved to another status: when it opens, it may be news; once it has ended for good, it never will be again. */
export const jobMovedForSearches: HiringOutcomes['jobMoved'] = async (tx, scope, { jobId, to }) => {
  if (to === 'open') await jobsOpened(tx, scope, [jobId]);
  else if (ends.includes(to)) await enqueue(tx, forgetJob, { jobId }, { key: `${forgetJob.name}/${jobId}` });
};

/**
 * For the runner: notes an opened job for everyone whose search it matches or who follows its business, page by page, each in its own
 * transaction. People notified of the job before are skipped, so a second run adds nothing (ADR 151). Searches learn its words.
 */
export async function matchOpenedJob(
  scope: TaskScope,
  { jobId, openedAt }: z.infer<typeof openedJob>,
): Promise<void> {
  const job = await findJob(scope.db, jobId);
  if (job.status !== 'open') return;
  const opened = { id: jobId, openedAt: new Date(openedAt) };
  await learnWords(scope.db, jobId);
  await eachPage(scope, opened, (tx, page) => findFollowers(tx, opened, page));
  for (const category of [job.category, ''])
    await eachPage(scope, opened, (tx, page) => findMatches(tx, { ...opened, category }, page));
}

type Opened = { id: string; openedAt: Date };

async function eachPage(
  scope: TaskScope,
  opened: Opened,
  find: (tx: Tx, page: { after: string | null; limit: number }) => Promise<MatchPage>,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page: MatchPage = await scope.db.transaction().execute(async (tx) => {
      const found = await find(tx, { after, limit: candidatesPerPage });
      await noteMatches(tx, scope, opened, found.matches);
      return found;
    });
    if (page.read < candidatesPerPage) return;
    after = page.last;
  }
}

/** Writes the alerts of a page, and a task for each time at which some are due, counted from when the job opened. */
export async function noteMatches(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  { id: jobId, openedAt }: Opened,
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return;
  const later = matches.filter(({ alert }) => alert !== 'at_once').map((match) => match.account_id);
  const readers = later.length === 0 ? new Map() : await readersOf(tx, later, [], scope.clock.now());
  const { digestHour } = paceOf(scope.config);
  const byAccount = new Map<string, NewAlert>();
  for (const { account_id, search_id, alert } of matches) {
    const reader = readers.get(account_id);
    const due_at = dueOf(alert, {
      openedAt,
      timeZone: reader ? zoneOfReader(reader) : 'UTC',
      digestHour,
    });
    const known = byAccount.get(account_id);
    if (!known || due_at < known.due_at) byAccount.set(account_id, { account_id, search_id, due_at });
  }
  const alerts = [...byAccount.values()];
  await insertAlerts(tx, jobId, alerts);
  const times = new Set(alerts.map(({ due_at }) => due_at.getTime()));
  await enqueueAll(
    tx,
    dueAlerts,
    [...times].map((time) => ({
      payload: { dueAt: new Date(time).toISOString() },
      runAt: new Date(time),
      key: `${dueAlerts.name}/${time}`,
    })),
  );
}

/** For the runner: forgets whom an ended job was announced to. */
export async function forgetEndedJob({ db }: TaskScope, { jobId }: z.infer<typeof endedJob>): Promise<void> {
  const job = await findJob(db, jobId);
  if (!ends.includes(job.status)) return;
  while ((await deleteAlertsOf(db, jobId, forgottenAtOnce)) === forgottenAtOnce);
}
