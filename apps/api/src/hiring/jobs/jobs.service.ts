import type { Currency } from '@nearhand/contract/currencies';
import { flagsOf } from '@nearhand/contract/hiring/job-flags.rules';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { JobFacts } from '@nearhand/contract/hiring/jobs.rules';
import { assertOwnBranch, branchForJob, placeOfBranch } from '../../people/branches/job-branch.service.ts';
import { hiringBusiness } from '../../people/businesses/hiring.service.ts';
import { requireRecruiter } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { hiringOutcomes } from '../outcomes.ts';
import {
  factColumns,
  factsAfter,
  placeColumns,
  requirePossiblePay,
  requirePossibleTimes,
} from './job-drafts.service.ts';
import { askQuestions, copyPhotos, setPhotos } from './job-parts.service.ts';
import { findJob, settleSeats } from './job-states.service.ts';
import { requireRecruiter as requireRecruiterAt, viewJob } from './job-views.service.ts';
import { columnsOfFlags, flagsOfRow } from './jobs.columns.ts';
import { deleteDraftJob, findQuestions, insertJob } from './jobs.sql.ts';

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
  requirePossiblePay(facts.payMinor, unit, business.currency as Currency);
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
  if ((await settleSeats(tx, scope, jobId)) === 'filled') await hiringOutcomes.on.jobFilled(tx, jobId);
  else await hiringOutcomes.on.seatFreed(tx, scope, jobId);
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
