import {
  type Job,
  type JobAction,
  type JobCard,
  jobActions,
  type ListedJob,
  type ListedSort,
  type PlannedShift,
  type SeriesDate,
} from '@nearhand/contract/hiring/jobs';
import {
  type JobStanding,
  type JobStatus,
  jobStatuses,
  mayBeEdited,
  nextJobStatus,
} from '@nearhand/contract/hiring/jobs.rules';
import type { ShiftPart } from '@nearhand/contract/hiring/series-edits.rules';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { z } from 'zod';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, ReadDb } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { openScreening } from '../screening/screening.ts';
import { toCard } from './job-cards.ts';
import {
  countByStanding,
  findDates,
  findJobView,
  findListed,
  findMemberFacts,
  findRenewable,
  findSeriesShifts,
  findSimilar,
  isBlockHeld,
  type JobViewRow,
  type ListedJobRow,
} from './jobs.sql.ts';

const similarCount = 6;

/**
 * Returns a job to members, applicants, or anyone while it is open. Without `apply` while another date of its block is in
 * review or suspended (ADR 414).
 */
export async function getJob(
  db: ReadDb,
  scope: Scope<Actor | null>,
  input: { jobId: string; lat?: number; lng?: number },
): Promise<Job> {
  const { lat, lng } = input;
  const from = lat !== undefined && lng !== undefined ? { lat, lng } : null;
  const job = await viewJob(db, scope.actor?.accountId ?? null, input.jobId, { from });
  if (job.seriesId === null || !job.actions.includes('apply')) return job;
  const isBlock = job.dates.some(({ jobId, asBlock }) => jobId === job.id && asBlock);
  const isHeld = isBlock && (await isBlockHeld(db, job.seriesId, scope.clock.now()));
  return isHeld ? { ...job, actions: job.actions.filter((action) => action !== 'apply') } : job;
}

/**
 * Returns the job as the account may see it; `dates` is empty unless `withDates` is set.
 * @throws job/not-found where the account may not see the job
 */
export async function viewJob(
  db: ReadDb,
  accountId: string | null,
  jobId: string,
  { from = null, withDates = true }: { from?: { lat: number; lng: number } | null; withDates?: boolean } = {},
): Promise<Job> {
  const row = await findVisible(db, accountId, jobId);
  const isMember = row.role !== null;
  return {
    ...row,
    ...toCard(row, { knowsPlace: isMember || row.myApplication?.status === 'hired', from }),
    dates: row.seriesId === null || !withDates ? [] : await datesOf(db, row.seriesId, accountId),
    coverPath: row.businessCover && fileContentPath(row.businessCover),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    actions: jobActionsFor(viewerOf(row), row.status),
    member: isMember ? await memberPartOf(db, row) : null,
  };
}

async function memberPartOf(db: ReadDb, row: JobViewRow): Promise<Job['member']> {
  const facts = await findMemberFacts(db, row.id);
  if (!facts) throw new AppError('job/not-found');
  return {
    ...row,
    ...facts,
    hired: row.hiredCount,
    offered: row.offeredCount,
    review: row.status === 'in_review' ? await reviewOf(db, row.id) : null,
  };
}

async function datesOf(db: ReadDb, seriesId: string, accountId: string | null): Promise<SeriesDate[]> {
  const rows = await findDates(db, seriesId, accountId);
  return rows.map((row) => {
    const { pay, spotsLeft } = toCard(row, { knowsPlace: false, from: null });
    return {
      jobId: row.id,
      startsAt: row.startsAt.toISOString(),
      endsAt: row.endsAt.toISOString(),
      pay,
      spotsLeft,
      asBlock: row.asBlock,
      myApplication: row.myApplication,
      booked: row.booked && {
        title: row.booked.title,
        startsAt: new Date(row.booked.startsAt).toISOString(),
        endsAt: new Date(row.booked.endsAt).toISOString(),
      },
    };
  });
}

/** The shifts of a job's series that have not started, by start, itself included; empty for a single job. */
export async function seriesOfJob(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<PlannedShift[]> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(db, accountId, jobId);
  const rows = await findSeriesShifts(db, jobId, {
    accountId,
    now: scope.clock.now(),
    statuses: jobStatuses.filter(mayBeEdited),
    reach: 'all',
  });
  const renewableIds = await findRenewable(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, startsAt, endsAt, ...row }) =>
    startsAt && endsAt
      ? {
          ...row,
          jobId: id,
          startsAt: startsAt.toISOString(),
          endsAt: endsAt.toISOString(),
          hired: row.hiredCount,
          offered: row.offeredCount,
          renewable: renewableIds.has(id),
          changedAlone: row.changedAlone as ShiftPart[],
        }
      : [],
  );
}

async function reviewOf(db: ReadDb, jobId: string) {
  const screening = await openScreening(db, jobId);
  return screening && { rules: screening.found.map(({ rule }) => rule), at: screening.at.toISOString() };
}

/** Up to six open jobs of the same category, nearest first, two of a business if others are near. For anyone. */
export async function similarJobs(
  db: ReadDb,
  scope: Scope<Actor | null>,
  { jobId }: { jobId: string },
): Promise<JobCard[]> {
  const job = await findVisible(db, scope.actor?.accountId ?? null, jobId);
  const rows = await findSimilar(db, job, similarCount);
  const from = { lat: job.publicLat, lng: job.publicLng };
  return rows.map((row) => toCard(row, { knowsPlace: false, from }));
}

/** Lists a business's jobs. For recruiters. */
export async function listedJobs(
  db: Db,
  scope: Scope,
  input: {
    businessId: string;
    branchId?: string;
    status?: JobStanding;
    q?: string;
    sort: ListedSort;
    seriesId?: string;
    grouped: boolean;
    cursor?: string;
    limit: number;
  },
): Promise<{
  items: ListedJob[];
  nextCursor: string | null;
  counts: Partial<Record<JobStanding, number>> | null;
  total: number | null;
}> {
  const limit = await requireBusinessRecruiter(db, scope.actor, input.businessId);
  const { sort } = input;
  const after = decodeCursor(input.cursor, listedCursors[sort]);
  const selection = {
    businessId: input.businessId,
    branchId: input.branchId ?? null,
    limit,
    q: input.q || null,
    seriesId: input.seriesId ?? null,
  };
  const rows = await findListed(db, selection, {
    standing: input.status ?? null,
    now: scope.clock.now(),
    sort,
    grouped: input.grouped,
    after,
    limit: input.limit + 1,
  });
  const page = cutPage(rows, input.limit, (row) => [listedKeyOf(row, sort), row.id]);
  const isFirstPage = input.cursor === undefined;
  const { counts, total } = isFirstPage
    ? await countByStanding(db, selection, scope.clock.now())
    : { counts: null, total: null };
  return {
    items: page.items.map((row) => ({
      ...toCard(row, { knowsPlace: true, from: null }),
      seriesId: row.seriesId,
      version: row.version,
      status: row.status,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      applicants: row.applicants,
      newApplicants: row.newApplicants,
      hired: row.hiredCount,
      offered: row.offeredCount,
      branch: row.branch,
      actions: jobActionsFor({ role: 'recruiter', applied: false }, row.status),
      seriesTotals: seriesTotalsOf(row),
    })),
    nextCursor: page.nextCursor,
    counts,
    total,
  };
}

function seriesTotalsOf({ seriesId, seriesTotals }: ListedJobRow): ListedJob['seriesTotals'] {
  if (seriesId === null || seriesTotals === null || seriesTotals.shifts < 2) return null;
  const instantOf = (at: string | null) => at && new Date(at).toISOString();
  return {
    ...seriesTotals,
    seriesId,
    firstStartsAt: instantOf(seriesTotals.firstStartsAt),
    lastStartsAt: instantOf(seriesTotals.lastStartsAt),
  };
}

const listedCursors = {
  newest: newestCursor,
  soonest: z.tuple([z.int32(), z.uuid()]),
  start: z.tuple([z.int32(), z.uuid()]),
  title: z.tuple([z.string(), z.uuid()]),
  gap: z.tuple([z.int32(), z.uuid()]),
  branch: z.tuple([z.string(), z.uuid()]),
};
const listedKeyOf = (row: ListedJobRow, sort: ListedSort): string | number => {
  if (sort === 'start' || sort === 'soonest') return row.startRank;
  if (sort === 'gap') return row.gap;
  if (sort === 'branch') return row.branchKey;
  return sort === 'title' ? row.foldedTitle : row.createdAt.toISOString();
};

const viewerOf = (row: JobViewRow): JobViewer => ({
  role: row.role,
  applied: row.myApplication !== null,
  isOfOtherBranch: row.isOfOtherBranch,
});

async function findVisible(db: ReadDb, accountId: string | null, jobId: string): Promise<JobViewRow> {
  const jobRow = await findJobView(db, jobId, accountId);
  const row = jobRow?.openToInvited ? { ...jobRow, status: 'open' as const } : jobRow;
  if (!row || !canSee(viewerOf(row), row.status, row.closedUnseen)) throw new AppError('job/not-found');
  return row;
}

/**
 * Requires a recruiter of the job's business.
 * @throws job/not-found if hidden, otherwise job/not-allowed
 */
export async function requireJobRecruiter(db: Db, accountId: string, jobId: string): Promise<void> {
  if (canAct(await findRoleAt(db, jobId, accountId))) return;
  const row = await findVisible(db, accountId, jobId);
  if (!canAct(row.role)) throw new AppError('job/not-allowed');
}

type JobViewer = { role: MemberRole | null; applied: boolean; isOfOtherBranch?: boolean };

const forEveryone: readonly JobStatus[] = ['open', 'filled', 'expired', 'closed'];
const forApplicants: readonly JobStatus[] = ['paused', 'archived', 'suspended'];

/** Drafts are for members; a paused or archived job stays visible to applicants. */
const canSee = (viewer: JobViewer, status: JobStatus, closedUnseen: boolean): boolean =>
  viewer.role !== null ||
  (forEveryone.includes(status) && !closedUnseen) ||
  (viewer.applied && (forApplicants.includes(status) || closedUnseen));

/** False for the finance role, which can only view jobs. */
const canAct = (role: MemberRole | null): boolean => roleMay(role, 'jobs');

/** A guest is offered `apply` too: the button leads to sign-in. A withdrawn application is not `applied`. */
function jobActionsFor(viewer: JobViewer, status: JobStatus): JobAction[] {
  if (viewer.role === null)
    return status === 'open' && !viewer.applied && !viewer.isOfOtherBranch ? ['apply'] : [];
  if (!canAct(viewer.role)) return [];
  const moves = (action: 'publish' | 'pause' | 'reopen' | 'close' | 'archive') => {
    const next = nextJobStatus(status, action, 'business');
    return next !== null && next !== status;
  };
  const possible: Partial<Record<JobAction, boolean>> = {
    edit: mayBeEdited(status),
    publish: moves('publish'),
    pause: moves('pause'),
    reopen: moves('reopen'),
    duplicate: true,
    close: moves('close'),
    archive: moves('archive'),
    'delete-draft': status === 'draft',
    'see-applicants': status !== 'draft',
  };
  return jobActions.filter((action) => possible[action]);
}
