import { jobPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { flagsOf } from '@nearhand/contract/hiring/job-flags.rules';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { isOver, type JobFacts } from '@nearhand/contract/hiring/jobs.rules';
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
import { columnsOfFlags, flagsOfRow, type JobRow } from './jobs.columns.ts';

const nothingSet = (kind: JobFacts['kind']): JobFacts => ({
  kind,
  description: '',
  payMinor: null,
  headCount: 1,
  startsAt: null,
  endsAt: null,
  breakMinutes: 0,
  breakPaid: false,
  dueOn: null,
  hoursNote: null,
  payReason: null,
  shortReason: null,
  address: '',
  lat: 0,
  lng: 0,
});

/** The current fees, in basis points, which a job keeps from when it is created (product.md, Money: a versioned schedule). */
export const feesOf = (config: Config) => ({
  merchant_fee_basis_points: config.MERCHANT_FEE_BASIS_POINTS,
  worker_fee_basis_points: config.WORKER_FEE_BASIS_POINTS,
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
    business_id: businessId,
    business_name: business.name,
    branch_id: branch?.id ?? null,
    kind: input.kind,
    status: 'draft',
    title: input.title,
    category: input.category,
    requirements: input.requirements ?? [],
    skills: input.skills ?? [],
    pay_unit: unit,
    currency: business.currency,
    ...columnsOfFlags(flagsOf(input)),
    ...factColumns(facts, unit),
    ...placeColumns(business.placeSalt, input.place ?? (branch ? placeOfBranch(branch) : business)),
    ...feesOf(scope.config),
    created_at: now,
    updated_at: now,
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

/**
 * Copies a job with its questions and photos to a new draft without its dates; recruiters only. It stays at its branch and gets the current fees.
 * @throws job/not-found, job/not-allowed, business/wrong-state
 */
export async function duplicateJob(tx: Tx, scope: Scope, input: { jobId: string }): Promise<Job> {
  const { accountId } = scope.actor;
  await requireRecruiterAt(tx, accountId, input.jobId);
  const row = await findJob(tx, input.jobId);
  await hiringBusiness(tx, row.business_id);
  const now = scope.clock.now();
  const jobId = newId(now);
  await insertJob(tx, {
    id: jobId,
    business_id: row.business_id,
    business_name: row.business_name,
    branch_id: row.branch_id,
    kind: row.kind,
    status: 'draft',
    title: row.title,
    category: row.category,
    description: row.description,
    requirements: row.requirements,
    skills: row.skills,
    pay_minor: row.pay_minor,
    pay_max_minor: row.pay_max_minor,
    pay_unit: row.pay_unit,
    pay_hour_minor: row.pay_hour_minor,
    currency: row.currency,
    head_count: row.head_count,
    break_minutes: row.break_minutes,
    break_paid: row.break_paid,
    hours_note: row.hours_note,
    pay_reason: row.pay_reason,
    short_reason: row.short_reason,
    ...columnsOfFlags(flagsOfRow(row)),
    address: row.address,
    area: row.area,
    lat: row.lat,
    lng: row.lng,
    private_address: row.private_address,
    public_lat: row.public_lat,
    public_lng: row.public_lng,
    time_zone: row.time_zone,
    ...feesOf(scope.config),
    created_at: now,
    updated_at: now,
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
  return row?.status === 'open' && row.expires_at?.toISOString() === expiresAt ? row : null;
}

/** Warns the recruiters once that an open job is about to expire. Run by a timer; a no-op if that is no longer true. */
async function warnOfExpiry(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const now = scope.clock.now();
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row || row.warned_at !== null) return;
  await updateJobStatus(tx, jobId, 'open', { status: 'open', warned_at: now });
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
  const expiresAt = job.expires_at?.toISOString() ?? '';
  const now = scope.clock.now();
  const past = isOver(factsOf(job), now, dayIn(job.time_zone, now));
  const recruiters = await membersAt(tx, job.id, 'recruiter');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic,
      data: {
        jobTitle: job.title,
        businessName: job.business_name,
        expiresAt,
        timeZone: job.time_zone,
        ...(past ? { what: 'past' } : {}),
      },
      path: jobPath(job.id),
      dedupeKey: `${topic}/${job.id}/${expiresAt}`,
    })),
  );
}
