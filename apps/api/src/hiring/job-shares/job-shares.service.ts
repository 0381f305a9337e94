import type { ChannelCount } from '@nearhand/contract/hiring/job-shares';
import { type PosterSize, posterSizes, shareChannels } from '@nearhand/contract/hiring/job-shares.rules';
import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { publicJobPath, shortIdOf, slugOf } from '@nearhand/contract/hiring/public-pages.rules';
import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { createWorkProcess } from '../../platform/process/work-process.ts';
import { makeTicket, readTicket } from '../../platform/sign.ts';
import { requireRecruiter, viewJob } from '../jobs/job-views.service.ts';
import { sharedJob, sharedJobsOf } from '../public-pages/shared-jobs.service.ts';
import { embedCard, embedGone } from './embed-card.ts';
import { embedList } from './embed-list.ts';
import { countChannels } from './job-shares.sql.ts';
import type printInProcess from './poster.worker.ts';

/**
 * For recruiters: what sharing a job brought, every channel once, with what its links are made of.
 * @throws job/not-found, job/not-allowed
 */
export async function sharingOverview(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{
  jobId: string;
  title: string;
  status: JobStatus;
  business: { id: string; name: string; verified: boolean };
  channels: ChannelCount[];
}> {
  const { accountId } = scope.actor;
  await requireRecruiter(db, accountId, jobId);
  const job = await viewJob(db, accountId, jobId);
  const counts = await countChannels(db, jobId);
  const { id, name, verified } = job.business;
  return {
    jobId,
    title: job.title,
    status: job.status,
    business: { id, name, verified },
    channels: shareChannels.map(
      (channel) =>
        counts.find((count) => count.channel === channel) ?? { channel, views: 0, applications: 0 },
    ),
  };
}

const purpose = 'job poster';
const ticket = z.object({ jobId: z.uuid(), size: z.enum(posterSizes) });

/**
 * For recruiters: a link to the poster of an open job, valid for five minutes without a session, as browsers and phones fetch files.
 * @throws job/not-found, job/not-allowed, job/not-open
 */
export async function posterLink(
  tx: Tx,
  scope: Scope,
  { jobId, size }: { jobId: string; size: PosterSize },
): Promise<{ path: string; expiresAt: string; fileName: string }> {
  const { accountId } = scope.actor;
  await requireRecruiter(tx, accountId, jobId);
  const job = await viewJob(tx, accountId, jobId);
  if (job.status !== 'open') throw new AppError('job/not-open');
  const made = makeTicket(scope, purpose, { jobId, size }, limits.fileLinkMinutes);
  return {
    path: `/job-poster?ticket=${made.ticket}`,
    expiresAt: made.expiresAt,
    fileName: posterName(job.title, size),
  };
}

/** `nearhand-weekend-barista-a4.pdf`, in characters that every file system and header accepts. */
const posterName = (title: string, size: PosterSize): string =>
  `${['nearhand', slugOf(title).replace(/[^a-z0-9-]/g, '') || 'job', size].join('-')}.pdf`;

const print = createWorkProcess<typeof printInProcess>(new URL('./poster.worker.ts', import.meta.url), {
  waiting: 32,
  patienceMs: 60_000,
  heapMb: 256,
});

/**
 * The poster behind a link, for anyone who has the link: it says only what the job's public page says.
 * @throws statement/link-expired, job/not-open, request/unavailable if too many others wait to be printed
 */
export async function openPoster(
  db: ReadDb,
  scope: Scope<Actor | null>,
  given: unknown,
): Promise<{ name: string; body: Buffer }> {
  const opened = readTicket(scope, purpose, given, ticket);
  if (opened === null) throw new AppError('statement/link-expired');
  const { jobId, size } = opened;
  const job = await sharedJob(db, { ...scope, actor: null }, shortIdOf(jobId));
  if (!job) throw new AppError('job/not-open');
  const url = new URL(publicJobPath(job, 'poster'), scope.config.PUBLIC_URL).href;
  const body = Buffer.from(await print([job, { size, url, at: scope.clock.now() }]));
  return { name: posterName(job.title, size), body };
}

/** The card of a job for another site's frame; words instead where it isn't open. Anyone may ask. */
export async function embeddedCard(
  db: ReadDb,
  scope: Scope<null>,
  shortId: string,
): Promise<{ isOpen: boolean; text: string }> {
  const { PUBLIC_URL } = scope.config;
  const job = await sharedJob(db, scope, shortId);
  return job
    ? { isOpen: true, text: embedCard(job, PUBLIC_URL) }
    : { isOpen: false, text: embedGone(PUBLIC_URL) };
}

/** The script that lists a verified business's open jobs on another site; null for any other. Anyone may ask. */
export async function embeddedList(db: ReadDb, scope: Scope<null>, shortId: string): Promise<string | null> {
  const shown = await sharedJobsOf(db, scope, shortId);
  return shown && embedList(shown, scope.config.PUBLIC_URL);
}
