import { dayIn, dayMs } from '@nearhand/contract/durations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import {
  type AlertAudience,
  hasStarted,
  type JobMoveName,
  type JobStatus,
  nextJobStatus,
} from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { IfDeclined } from '@nearhand/contract/hiring/rebook';
import { limits } from '@nearhand/contract/limits';
import type { MoneyScope } from '../../money/hooks.ts';
import { moneyOfClosing } from '../../money/wallet/wallet.ts';
import { type HiringBusiness, hiringBusiness } from '../../people/businesses/hiring.ts';
import type { PeopleNeeds } from '../../people/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { hiringHooks } from '../hooks.ts';
import { decideScreenings } from '../screening/screening.sql.ts';
import { screenJob } from '../screening/screening.ts';
import { holdForReview } from './job-edits.ts';
import { lifeEnd, setTimers, setTimersOfNew } from './job-expiry.ts';
import { lockJob, moveJob, requireDatesApart, updateFilledStatus } from './job-transitions.ts';
import { requireJobRecruiter, viewJob } from './job-views.ts';
import type { JobRow } from './jobs.columns.ts';
import {
  countOpenJobs,
  findBlockDates,
  findJobOwner,
  findSeriesShifts,
  findStatusBefore,
  hasReplacementSearch,
  lockJobRows,
  startSeries,
  unfilledJobs,
  unfinishedJobs,
} from './jobs.sql.ts';
import { copyJobs, factsOf, feesOf, requireComplete, requireFuture, requireInstant } from './jobs.ts';

type JobRef = { jobId: string };
type FollowingJob = JobRef & { following?: boolean };

/**
 * Publishes a draft. Screening may send it to review (ADR 178). Expires after `JOB_LIFE_DAYS` or at the start
 * of the work. The same shift on the days of `alsoOn` is published with it, each a separate job, as one
 * series: all or none. With `asBlock` people are hired for all of them or none (ADR 414). `alerts` says who
 * learns of it, now or after the review. For recruiters.
 */
export async function publishJob(
  tx: Tx,
  scope: Scope,
  {
    jobId,
    alsoOn = [],
    asBlock = false,
    alerts = 'subscribers',
  }: JobRef & { alsoOn?: string[]; asBlock?: boolean; alerts?: AlertAudience },
): Promise<Job> {
  const opened = await openJob(tx, scope, jobId, { action: 'publish', alerts });
  // A repeat of a publish that went through adds no days.
  if (opened && alsoOn.length > 0) {
    // A series has at most one block, so a copy of a shift starts another one.
    const seriesId = asBlock || opened.seriesId === null ? jobId : opened.seriesId;
    if (seriesId === jobId) await startSeries(tx, jobId, { asBlock });
    const days = daysLater(opened, alsoOn);
    const copies = days.map((daysAfter) => ({
      id: newId(scope.clock.now()),
      row: { ...opened, seriesId },
      days: daysAfter,
      alertAudience: alerts,
      asBlock,
    }));
    await publishCopies(tx, scope, opened.businessId, await copyJobs(tx, scope, copies));
    if (asBlock) await requireDatesApart(tx, scope, seriesId);
  }
  return viewJob(tx, scope.actor.accountId, jobId);
}

/** Closes the open jobs of a closing business, in the order of their locks. @throws as `closeJob` */
export const closeJobs: PeopleNeeds['closeJobs'] = async (tx, scope, jobIds) => {
  for (const jobId of jobIds.toSorted()) await closeJob(tx, scope, { jobId });
};

/** Lists the work and money that keep a business from closing. The caller checks access. */
export const obstaclesOfClosing: PeopleNeeds['closingObstacles'] = async (db, businessId, now) => ({
  ...(await unfinishedJobs(db, businessId, now)),
  jobs: await unfilledJobs(db, businessId, now),
  ...(await moneyOfClosing(db, businessId)),
});

/**
 * Reopens a paused or expired job and all of its block, for recruiters; with `following` also the later paused shifts of
 * its series: all or none.
 */
export async function reopenJob(
  tx: Tx,
  scope: Scope,
  { jobId, following = false }: FollowingJob,
): Promise<Job> {
  await requireJobRecruiter(tx, scope.actor.accountId, jobId);
  const blockIds = await seriesShifts(tx, scope, jobId, { reach: 'block', statuses: ['paused', 'expired'] });
  const laterIds = following
    ? await seriesShifts(tx, scope, jobId, { reach: 'later', statuses: ['paused'] })
    : [];
  const ids = [...new Set([jobId, ...blockIds, ...laterIds])];
  if (ids.length > 1) await lockWithBusiness(tx, jobId, ids);
  for (const id of ids) await openJob(tx, scope, id, { action: 'reopen' });
  return viewJob(tx, scope.actor.accountId, jobId);
}

async function seriesShifts(
  tx: Tx,
  scope: Scope,
  jobId: string,
  { reach, statuses }: { reach: 'later' | 'block'; statuses: readonly JobStatus[] },
): Promise<string[]> {
  const { accountId } = scope.actor;
  const rows = await findSeriesShifts(tx, jobId, { accountId, now: scope.clock.now(), statuses, reach });
  return rows.map(({ id }) => id);
}

/** Locks the business before all its jobs, since opening one locks the business too (ADR 38). */
async function lockWithBusiness(tx: Tx, jobId: string, ids: readonly string[]): Promise<void> {
  const owner = await findJobOwner(tx, jobId);
  if (owner) await hiringBusiness(tx, owner.businessId);
  await lockJobRows(tx, ids);
}

/**
 * Returns the distance in days of each of `alsoOn` from the shift's own day, by the calendar of its place.
 * @throws job/cannot-repeat
 */
function daysLater({ startsAt, timeZone, instantHire }: JobRow, alsoOn: readonly string[]): number[] {
  if (alsoOn.length === 0) return [];
  // Instant hire sets each day's money aside at once, so a shortage would be reported one day at a time.
  if (startsAt === null || instantHire) throw new AppError('job/cannot-repeat');
  const firstDay = Date.parse(dayIn(timeZone, startsAt));
  return alsoOn.map((day) => {
    const days = (Date.parse(day) - firstDay) / dayMs;
    if (days === 0 || Math.abs(days) > hiringLimits.alsoOnWeeksMax * 7)
      throw new AppError('job/cannot-repeat');
    return days;
  });
}

/** Pauses an open job, all of its block, and with `following` the later open shifts of its series. For recruiters. */
export const pauseJob = (tx: Tx, scope: Scope, { jobId, following = false }: FollowingJob): Promise<Job> =>
  moveWithFollowing(tx, scope, { jobId, following, statuses: ['open'] }, 'pause');

/**
 * Closes a job and its live applications, and with `following` the later shifts of its series for which nobody is
 * hired. For recruiters.
 */
export const closeJob = (tx: Tx, scope: Scope, { jobId, following = false }: FollowingJob): Promise<Job> =>
  moveWithFollowing(
    tx,
    scope,
    { jobId, following, statuses: ['open', 'paused', 'expired', 'in_review'] },
    'close',
  );

/** Archives a closed job. For recruiters. */
export const archiveJob = (tx: Tx, scope: Scope, { jobId }: JobRef): Promise<Job> =>
  moveWithFollowing(tx, scope, { jobId, following: false, statuses: [] }, 'archive');

async function moveWithFollowing(
  tx: Tx,
  scope: Scope,
  { jobId, following, statuses }: JobRef & { following: boolean; statuses: readonly JobStatus[] },
  action: 'pause' | 'close' | 'archive',
): Promise<Job> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(tx, accountId, jobId);
  const ids = new Set([jobId]);
  const collect = async (reach: 'block' | 'later') => {
    for (const id of await seriesShifts(tx, scope, jobId, { reach, statuses })) ids.add(id);
  };
  if (action === 'pause') await collect('block');
  if (following) await collect('later');
  const movedIds: string[] = [];
  for (const row of await lockJobRows(tx, [...ids])) {
    const to = row.id === jobId ? requireMove(row, action) : nextJobStatus(row.status, action, 'business');
    if (to === null || to === row.status) continue;
    if (action === 'close' && row.id !== jobId && row.hiredCount > 0) continue;
    // Only a copy of the roster opens again by itself; what a person paused stays paused.
    const changes = { opensWhenFreed: false, offersToPools: false };
    await moveJob(tx, scope, row, { action, to, actor: accountId, changes });
    movedIds.push(row.id);
  }
  if (action === 'close' && movedIds.length > 0) await hiringHooks.on.jobsClosed(tx, scope, movedIds);
  // A hidden, closed or archived job can't hire, so the money of its free spots is refunded (ADR 75).
  for (const id of movedIds) await hiringHooks.needs.fundSpots(tx, scope, id, { all: false });
  return viewJob(tx, accountId, jobId);
}

/** Returns the job as it was, or null if it was open already. */
async function openJob(
  tx: Tx,
  scope: Scope,
  jobId: string,
  { action, alerts }: { action: 'publish' | 'reopen'; alerts?: AlertAudience },
): Promise<JobRow | null> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(tx, accountId, jobId);
  const owner = await findJobOwner(tx, jobId);
  if (!owner) throw new AppError('job/not-found');
  const business = await hiringBusiness(tx, owner.businessId);
  const row = await lockJob(tx, jobId);
  const to = requireMove(row, action);
  if (to === row.status) return null;
  if (row.instantHire) await requireInstant(tx, jobId, factsOf(row), { cvRequired: row.cvRequired });
  if (alerts) await tx.updateTable('jobs').set({ alertAudience: alerts }).where('id', '=', jobId).execute();
  const life = await openOrReview(tx, scope, row, { business, action, to });
  if (!life) return row;
  await setTimers(tx, scope, jobId, life.publishedAt, life.expiresAt);
  // A spot that opened while the job was hidden goes to the waitlist first.
  if (action === 'reopen') await hiringHooks.on.spotFreed(tx, scope, jobId);
  // Every spot of an instant hire is funded before publishing (product.md, Application).
  await hiringHooks.needs.fundSpots(tx, scope, jobId, { all: true });
  return row;
}

/**
 * Opens a locked job, or sends it to review. The caller sets its timers.
 * @returns its life; null in review
 */
async function openOrReview(
  tx: Tx,
  scope: Scope,
  row: JobRow,
  { business, action, to }: { business: HiringBusiness; action: 'publish' | 'reopen'; to: JobStatus },
): Promise<ReturnType<typeof currentOrNewLife> | null> {
  const now = scope.clock.now();
  const facts = factsOf(row);
  requireComplete(scope, row, facts, { country: business.countryCode, timeZone: row.timeZone });
  requireFuture(facts, row.timeZone, now);
  if (business.status !== 'verified') await requireBelowOpenLimit(tx, scope, row);
  if ((await screenJob(tx, scope, row)).length > 0) {
    await holdForReview(tx, scope, row);
    return null;
  }
  const life = currentOrNewLife(scope.config, row, now);
  await moveJob(tx, scope, row, { action, to, actor: scope.actor.accountId, changes: life });
  return life;
}

/** Checks that an unverified business may open one more job or date of a series (ADR 410). */
async function requireBelowOpenLimit(tx: Tx, { config }: Scope, row: JobRow): Promise<void> {
  const limit = config.OPEN_JOBS_WHILE_UNVERIFIED;
  const dates = limits.datesWhileUnverified;
  const open = await countOpenJobs(tx, row);
  if (open.jobs >= limit || open.dates >= dates) throw new AppError('job/open-limit', { limit, dates });
}

/**
 * Publishes drafts that this transaction made of jobs without instant hire. The caller checks access. Screening may
 * send some to review (ADR 178).
 * @returns them with their status, in the same order
 */
export async function publishCopies(
  tx: Tx,
  scope: Scope,
  businessId: string,
  drafts: readonly JobRow[],
): Promise<JobRow[]> {
  const business = await hiringBusiness(tx, businessId);
  const jobs: JobRow[] = [];
  for (const row of drafts) {
    const life = await openOrReview(tx, scope, row, {
      business,
      action: 'publish',
      to: requireMove(row, 'publish'),
    });
    jobs.push(life ? { ...row, ...life, status: 'open' } : { ...row, status: 'in_review' });
  }
  await setTimersOfNew(
    tx,
    scope,
    jobs.filter(({ status }) => status === 'open'),
  );
  return jobs;
}

/** Pauses an open, locked job whose spots are all offered, and stores what becomes of one that is free again (ADR 407). */
export async function pauseOfferedJob(
  tx: Tx,
  scope: Scope,
  row: JobRow,
  ifDeclined: IfDeclined,
): Promise<void> {
  const offersToPools = ifDeclined === 'pools';
  const changes =
    ifDeclined === 'nobody'
      ? undefined
      : {
          opensWhenFreed: true,
          offersToPools,
          alertAudience: offersToPools ? ('everyone' as const) : ifDeclined,
        };
  const actor = scope.actor.accountId;
  await moveJob(tx, scope, row, { action: 'pause', to: requireMove(row, 'pause'), actor, changes });
}

function requireMove(row: JobRow, action: JobMoveName): JobStatus {
  const to = nextJobStatus(row.status, action, 'business');
  if (to === null) throw new AppError('job/wrong-state', { status: row.status });
  return to;
}

/** The life of a job that becomes visible: the rest of its current one, or a new one with a new warning. */
function currentOrNewLife(config: Scope['config'], row: JobRow, now: Date) {
  const fees = row.publishedAt === null ? feesOf(config) : null;
  const { publishedAt, expiresAt, warnedAt, status } = row;
  if (status !== 'expired' && publishedAt !== null && expiresAt !== null && expiresAt > now)
    return { publishedAt, expiresAt, warnedAt };
  const end = lifeEnd(factsOf(row), row.timeZone, now, config.JOB_LIFE_DAYS);
  return { publishedAt: now, expiresAt: end, warnedAt: null, ...fees };
}

/**
 * Opens a job in review or a rejected one, after an operator's decision; an instant hire, a date of a paused block and a
 * job that a search for a replacement hides come back paused, an overdue job expired. `hidden`: another decision hides it, so
 * it is shown only when that one ends. Idempotent.
 * @returns its new status
 */
export async function openReviewedJob(
  tx: Tx,
  scope: Scope,
  jobId: string,
  { hidden }: { hidden: boolean },
): Promise<JobStatus> {
  const row = await lockJob(tx, jobId);
  const now = scope.clock.now();
  const isLate = hasStarted(factsOf(row), now, dayIn(row.timeZone, now));
  const staysPaused =
    row.instantHire ||
    (await statusesOfBlock(tx, scope, row)).includes('paused') ||
    (await hasReplacementSearch(tx, jobId, { hidden: true }));
  const action = isLate ? 'approve-late' : staysPaused ? 'approve-paused' : 'approve';
  const to = nextJobStatus(row.status, action, 'operator');
  if (to === null || to === row.status) return row.status;
  const { accountId } = scope.actor;
  const life = currentOrNewLife(scope.config, row, now);
  const expiresAt = isLate ? now : life.expiresAt;
  await moveJob(tx, scope, row, { action, to, actor: accountId, changes: { ...life, expiresAt } });
  await decideScreenings(tx, jobId, { outcome: 'opened', by: accountId, at: now });
  if (to === 'paused') await setTimers(tx, scope, jobId, life.publishedAt, expiresAt);
  if (hidden && (await suspendJob(tx, scope, jobId))) return 'suspended';
  if (to !== 'open') return to;
  return (await offerFreeSpots(tx, scope, jobId, { ...life, expiresAt })) === 'filled' ? 'filled' : to;
}

/** Rejects a job in review, after an operator's decision. Returns false if it isn't in review. */
export async function refuseReviewedJob(tx: Tx, scope: Scope, jobId: string): Promise<boolean> {
  const row = await lockJob(tx, jobId);
  const to = nextJobStatus(row.status, 'reject', 'operator');
  if (to === null || to === row.status) return false;
  const { accountId } = scope.actor;
  await moveJob(tx, scope, row, { action: 'reject', to, actor: accountId });
  return decideScreenings(tx, jobId, { outcome: 'refused', by: accountId, at: scope.clock.now() });
}

/**
 * Suspends a job: hides it from everyone but its business and its applicants, after an operator's decision. Returns false for
 * a draft or an ended job.
 */
export async function suspendJob(tx: Tx, scope: MoneyScope, jobId: string): Promise<boolean> {
  const row = await lockJob(tx, jobId);
  const to = nextJobStatus(row.status, 'suspend', 'operator');
  if (to === null) return false;
  if (to === row.status) return true;
  await moveJob(tx, scope, row, { action: 'suspend', to, actor: 'operator' });
  await hiringHooks.needs.fundSpots(tx, scope, jobId, { all: false });
  return true;
}

/**
 * Restores a locked job after `suspendJob` to its status before, or to expired. An instant hire returns paused: only
 * the business can fund it.
 */
export async function restoreSuspendedJob(tx: Tx, scope: MoneyScope, row: JobRow): Promise<void> {
  const before = await findStatusBefore(tx, row.id, 'suspend');
  // The dates of a block are hidden and shown together (ADR 414).
  const ofBlock = await statusesOfBlock(tx, scope, row);
  const wasPaused = before === 'paused' && !ofBlock.includes('open');
  const isHidden = wasPaused || row.instantHire || ofBlock.includes('paused');
  const action = restoreAction({ before, isHidden }, row, scope.clock.now());
  const to = nextJobStatus(row.status, action, 'operator');
  if (to === null) return;
  await moveJob(tx, scope, row, { action, to, actor: 'operator' });
  if (to === 'filled') await updateFilledStatus(tx, scope, row.id);
  if (to !== 'open') return;
  await offerFreeSpots(tx, scope, row.id, row);
}

/**
 * Opens a locked job that was paused until everyone may see it, such as by a search for a replacement (ADR 385). Screens it, since it may
 * have been changed in the meantime, and may send it to review.
 */
export async function openPausedJob(tx: Tx, scope: MoneyScope, row: JobRow): Promise<void> {
  const to = nextJobStatus(row.status, 'show', 'timer');
  if (to === null) return;
  if ((await screenJob(tx, scope, row)).length > 0) return holdForReview(tx, scope, row);
  await moveJob(tx, scope, row, { action: 'show', to, actor: 'timer' });
  await offerFreeSpots(tx, scope, row.id, row);
}

/** Sets the timers of a job that is open again, and offers its free spots to the waitlist first. */
async function offerFreeSpots(
  tx: Tx,
  scope: MoneyScope,
  jobId: string,
  { publishedAt, expiresAt }: Pick<JobRow, 'publishedAt' | 'expiresAt'>,
): ReturnType<typeof updateFilledStatus> {
  if (publishedAt && expiresAt) await setTimers(tx, scope, jobId, publishedAt, expiresAt);
  await hiringHooks.on.spotFreed(tx, scope, jobId);
  return updateFilledStatus(tx, scope, jobId);
}

/** Returns the statuses of the other dates of a job's block that are ahead and still to be filled; empty without a block. */
async function statusesOfBlock(tx: Tx, { clock }: MoneyScope, row: JobRow): Promise<JobStatus[]> {
  if (!row.asBlock || row.seriesId === null) return [];
  const dates = await findBlockDates(tx, row.seriesId, clock.now());
  return dates.flatMap(({ id, status }) => (id === row.id ? [] : [status]));
}

function restoreAction(
  { before, isHidden }: { before: string | null; isHidden: boolean },
  row: JobRow,
  now: Date,
): JobMoveName {
  if (before === 'in_review') return 'restore-review';
  if (before === 'filled') return 'restore-filled';
  if (before === 'expired' || row.expiresAt === null || row.expiresAt <= now) return 'restore-expired';
  return isHidden ? 'restore-paused' : 'restore';
}
