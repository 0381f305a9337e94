import { jobPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { flagsOf, jobFlags } from '@nearhand/contract/hiring/job-flags.rules';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { isOver, type JobFacts, plainFacts } from '@nearhand/contract/hiring/jobs.rules';
import { pick } from '@nearhand/contract/pick';
import type { MoneyScope } from '../../money/holds/holds.ts';
import { assertOwnBranch, branchForJob, placeOfBranch } from '../../people/branches/job-branch.ts';
import { hiringBusiness } from '../../people/businesses/hiring.ts';
import { membersAt, requireRecruiter } from '../../people/businesses/members.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { dayIn } from '../../platform/zoned-day.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { hiringHooks } from '../hooks.ts';
import { deleteDraftJob, findQuestions, insertJob, lockJobRow, updateJobStatus } from './job-business.ts';
import {
  factColumns,
  factsAfter,
  factsOf,
  placeColumns,
  requirePossiblePay,
  requirePossibleTimes,
} from './job-drafts.ts';
import { expiry, expiryWarning } from './job-expiry.ts';
import { askQuestions, copyPhotos, setPhotos } from './job-parts.ts';
import { findJob, moveJobByTimer, settleSeats } from './job-states.ts';
import { requireRecruiter as requireRecruiterAt, viewJob } from './job-views.ts';
import type { JobRow } from './jobs.columns.ts';

const nothingSet = (kind: JobFacts['kind']): JobFacts => ({
  ...(Object.fromEntries(plainFacts.map((name) => [name, null])) as Record<
    (typeof plainFacts)[number],
    null
  >),
  kind,
  description: '',
  headCount: 1,
  breakMinutes: 0,
  breakPaid: false,
  startsAt: null,
  endsAt: null,
  hoursNote: null,
  address: '',
  lat: 0,
  lng: 0,
});

/** The current fees, in basis points, which a job keeps from when it is created (product.md, Money: a versioned schedule). */
export const feesOf = (config: Config) => ({
  merchantFeeBasisPoints: config.MERCHANT_FEE_BASIS_POINTS,
  workerFeeBasisPoints: config.WORKER_FEE_BASIS_POINTS,
});

/**
 * Saves a new job as a draft; recruiters only. Pay in minor units, hourly for a shift, total for a task, in the business's currency. The
 * place defaults to that of the branch, or the business's without one.
 * @throws business/not-found, business/not-allowed, business/wrong-state, branch/not-found, branch/required for a recruiter who is limited to
 * branches, branch/closed, file/not-found, file/wrong-type, request/invalid for impossible times
 */
export async function createJob(
  tx: Tx,
  scope: Scope,
  { businessId, ...input }: JobDraft & { businessId: string },
): Promise<Job> {
  const { accountId } = scope.actor;
  await requireRecruiter(tx, scope.actor, businessId);
  const business = await hiringBusiness(tx, businessId);
  assertOwnBranch(await requireRecruiter(tx, scope.actor, businessId), input.branchId ?? null);
  const branch = input.branchId ? await branchForJob(tx, businessId, input.branchId) : null;
  const facts = factsAfter(nothingSet(input.kind), input);
  requirePossibleTimes(facts);
  const unit = input.kind === 'task' ? 'fixed' : 'hour';
  requirePossiblePay(facts, unit, business.currency as Currency);
  const now = scope.clock.now();
  const jobId = newId(now);
  await insertJob(tx, {
    id: jobId,
    businessId,
    businessName: business.name,
    branchId: branch?.id ?? null,
    kind: input.kind,
    status: 'draft',
    title: input.title,
    category: input.category,
    requirements: input.requirements ?? [],
    skills: input.skills ?? [],
    payUnit: unit,
    currency: business.currency,
    ...flagsOf(input),
    ...factColumns(facts, unit),
    ...placeColumns(business.placeSalt, input.place ?? (branch ? placeOfBranch(branch) : business)),
    ...feesOf(scope.config),
    createdAt: now,
    updatedAt: now,
  });
  await askQuestions(tx, now, jobId, input.questions ?? []);
  await setPhotos(tx, accountId, jobId, input.photoIds ?? []);
  return viewJob(tx, accountId, jobId);
}

/**
 * After a head count change: the job's status follows its spots; a new spot is offered to the waitlist, and with none left the other
 * applicants are notified.
 */
export async function seatsChanged(tx: Tx, scope: Scope, jobId: string): Promise<void> {
  if ((await settleSeats(tx, scope, jobId)) === 'filled') await hiringHooks.on.jobFilled(tx, jobId);
  else await hiringHooks.on.seatFreed(tx, scope, jobId);
}

const copied = [
  ...plainFacts,
  ...jobFlags,
  ...([
    'businessId',
    'businessName',
    'branchId',
    'kind',
    'title',
    'category',
    'requirements',
    'skills',
  ] as const),
  ...(['payMaxMinor', 'payUnit', 'payHourMinor', 'currency', 'hoursNote'] as const),
  ...(['address', 'area', 'lat', 'lng', 'privateAddress', 'publicLat', 'publicLng', 'timeZone'] as const),
] as const;

/**
 * Copies a job with its questions and photos to a new draft without its dates; recruiters only. It stays at its branch and gets the current fees.
 * @throws job/not-found, job/not-allowed, business/wrong-state
 */
export async function duplicateJob(tx: Tx, scope: Scope, input: { jobId: string }): Promise<Job> {
  const { accountId } = scope.actor;
  await requireRecruiterAt(tx, accountId, input.jobId);
  const row = await findJob(tx, input.jobId);
  await hiringBusiness(tx, row.businessId);
  const now = scope.clock.now();
  const jobId = newId(now);
  await insertJob(tx, {
    ...pick(row, copied),
    id: jobId,
    status: 'draft',
    startsAt: null,
    endsAt: null,
    dueOn: null,
    ...feesOf(scope.config),
    createdAt: now,
    updatedAt: now,
  });
  await askQuestions(tx, now, jobId, await findQuestions(tx, [input.jobId]));
  await copyPhotos(tx, input.jobId, jobId);
  return viewJob(tx, accountId, jobId);
}

/**
 * Deletes a draft; recruiters only.
 * @throws job/not-found, job/not-allowed, job/wrong-state once it was published
 */
export async function deleteDraft(
  tx: Tx,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{ deleted: true }> {
  await requireRecruiterAt(tx, scope.actor.accountId, jobId);
  if (!(await deleteDraftJob(tx, jobId))) throw new AppError('job/wrong-state');
  return { deleted: true };
}

const warnOfExpiryTask = defineTask({
  ...expiryWarning,
  run: ({ db, clock }, payload) => db.transaction().execute((tx) => warnOfExpiry(tx, { clock }, payload)),
});

const expireJobTask = defineTask({
  ...expiry,
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireJob(tx, scope, payload)),
});

export const jobsTasks = [warnOfExpiryTask, expireJobTask];

/** The job, locked, if the timer set for `expiresAt` still applies: it may have been closed, paused or reopened since. */
async function lockIfDue(tx: Tx, jobId: string, expiresAt: string): Promise<JobRow | null> {
  const row = await lockJobRow(tx, jobId);
  return row?.status === 'open' && row.expiresAt?.toISOString() === expiresAt ? row : null;
}

/** Warns the recruiters once that an open job is about to expire. Run by a timer; a no-op if that is no longer true. */
async function warnOfExpiry(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const now = scope.clock.now();
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row || row.warnedAt !== null) return;
  await updateJobStatus(tx, jobId, 'open', { status: 'open', warnedAt: now });
  await notifyRecruiters(tx, scope, 'job-expiring', row);
}

/** Expires an open job at the end of its life (product.md: 30 d) and notifies its recruiters. Run by a timer, rechecked as above. */
async function expireJob(
  tx: Tx,
  scope: MoneyScope,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row || !(await moveJobByTimer(tx, scope, row, 'expire'))) return;
  await hiringHooks.on.seatCostChanged(tx, scope, jobId, { all: false });
  await notifyRecruiters(tx, scope, 'job-expired', row);
}

/** Notifies the recruiters that a job is about to expire, or has expired; once per life. */
async function notifyRecruiters(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  topic: 'job-expiring' | 'job-expired',
  job: JobRow,
): Promise<void> {
  const expiresAt = job.expiresAt?.toISOString() ?? '';
  const now = scope.clock.now();
  const past = isOver(factsOf(job), now, dayIn(job.timeZone, now));
  const recruiters = await membersAt(tx, job.id, 'recruiter');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic,
      data: {
        jobTitle: job.title,
        businessName: job.businessName,
        expiresAt,
        timeZone: job.timeZone,
        ...(past ? { what: 'past' } : {}),
      },
      path: jobPath(job.id),
      dedupeKey: `${topic}/${job.id}/${expiresAt}`,
    })),
  );
}
