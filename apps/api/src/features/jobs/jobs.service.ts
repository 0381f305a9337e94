import type { Job, JobDraft } from '@nearhand/contract/jobs';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks.ts';
import { fill } from '../applications/application-endings.service.ts';
import { startMoved } from '../applications/decide-by.service.ts';
import { rankJob } from '../applications/ranking.service.ts';
import { hiringBusiness, placeSaltOf } from '../businesses/hiring.service.ts';
import { demandRole } from '../businesses/members.service.ts';
import { fundSeats } from '../offers/offer-making.service.ts';
import { seatFreed } from '../offers/waitlist-offers.service.ts';
import {
  demandComplete,
  demandFuture,
  demandInstant,
  demandPossibleTimes,
  factColumns,
  factsAfter,
  factsOf,
  placeColumns,
} from './job-drafts.service.ts';
import { lifeEndAfterEdit, setTimers } from './job-life.service.ts';
import { tellApplicantsOfChange } from './job-notices.service.ts';
import { demandRecruiter, viewJob } from './job-views.service.ts';
import { type JobFacts, materialChanges, mayBeEdited } from './jobs.rules.ts';
import {
  deleteDraftJob,
  findJobOwner,
  findQuestions,
  insertJob,
  type JobRow,
  lockJob,
  replaceQuestions,
  updateJobVersion,
} from './jobs.sql.ts';
import { settleSeats } from './seats.service.ts';

type Question = NonNullable<JobDraft['questions']>[number];

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
  address: '',
  lat: 0,
  lng: 0,
});

/** The fees in force, in basis points, which a job keeps from when it is made (product.md, Money: a versioned schedule). */
export const feesOf = (config: Config) => ({
  merchant_fee_basis_points: config.MERCHANT_FEE_BASIS_POINTS,
  worker_fee_basis_points: config.WORKER_FEE_BASIS_POINTS,
});

/**
 * Keeps a new job as a draft; recruiters of the business may. Pay in minor units, an hour for a shift, the whole for a task, in the currency of
 * the business. Without a place it is at the address of the business.
 * @throws business/not-found, business/not-allowed, business/wrong-state, request/invalid for impossible times
 */
export async function createJob(
  tx: Tx,
  scope: Scope,
  { businessId, ...input }: JobDraft & { businessId: string },
): Promise<Job> {
  const { accountId } = scope.actor;
  await demandRole(tx, businessId, accountId, 'recruiter');
  const business = await hiringBusiness(tx, businessId);
  const facts = factsAfter(nothingSet(input.kind), input);
  demandPossibleTimes(facts);
  const now = scope.clock.now();
  const jobId = newId(now);
  const unit = input.kind === 'task' ? 'fixed' : 'hour';
  await insertJob(tx, {
    id: jobId,
    business_id: businessId,
    business_name: business.name,
    kind: input.kind,
    status: 'draft',
    title: input.title,
    category: input.category,
    requirements: input.requirements ?? [],
    skills: input.skills ?? [],
    pay_unit: unit,
    currency: business.currency,
    cv_required: input.cvRequired ?? false,
    instant_hire: input.instantHire ?? false,
    ...factColumns(facts, unit),
    ...placeColumns(business.placeSalt, input.place ?? business),
    ...feesOf(scope.config),
    created_at: now,
    updated_at: now,
  });
  await askQuestions(tx, now, jobId, input.questions ?? []);
  return viewJob(tx, accountId, jobId);
}

/**
 * Edits a job; recruiters of the business may. What is absent stays. Once it was published it must stay complete, and who applied is told of a
 * change of pay, hours or place, or of fewer seats. Once somebody is hired or offered the job, its hours and place stay, and the seats do not fall below
 * hires and offers; after a hire the pay does not fall either. A seat more is the waitlist's first.
 * @throws job/not-found, job/not-allowed, job/wrong-state, job/stale, job/incomplete, job/starts-in-past, job/pay-fell-after-hire,
 * payment/balance-short (data: missingMinor, currency) where seats of an instant hire cost more, job/head-count-below-hires, job/terms-fixed (data: changed), job/not-instant (data: because), request/invalid for impossible times
 */
export async function updateJob(
  tx: Tx,
  scope: Scope,
  { jobId, version, ...input }: Partial<Omit<JobDraft, 'kind'>> & { jobId: string; version: number },
): Promise<Job> {
  const { accountId } = scope.actor;
  await demandRecruiter(tx, accountId, jobId);
  const row = await lockJob(tx, jobId);
  if (!row) throw new AppError('job/not-found');
  if (!mayBeEdited(row.status)) throw new AppError('job/wrong-state', { status: row.status });
  if (row.version !== version) throw new AppError('job/stale', { version: row.version });
  const now = scope.clock.now();
  const before = factsOf(row);
  const after = factsAfter(before, input);
  demandPossibleTimes(after);
  const place = input.place && placeColumns(await placeSaltOf(tx, row.business_id), input.place);
  const timeZone = place?.time_zone ?? row.time_zone;
  const changes = materialChanges(before, after);
  if (row.status !== 'draft') {
    demandComplete(after);
    if (changes.includes('hours')) demandFuture(after, timeZone, now);
  }
  const instantHire = input.instantHire ?? row.instant_hire;
  const cvRequired = input.cvRequired ?? row.cv_required;
  if (instantHire && row.status !== 'draft')
    await demandInstant(tx, jobId, after, {
      cvRequired,
      ...(input.questions ? { questions: input.questions } : {}),
    });
  demandKeptPromises(row, before, after);
  // A new start moves the end of a life that runs or is paused; a range of pay ends below a pay that rose above it.
  const expiresAt =
    ['open', 'paused'].includes(row.status) && row.published_at && changes.includes('hours')
      ? lifeEndAfterEdit(
          { facts: before, timeZone: row.time_zone, expiresAt: row.source === null ? null : row.expires_at },
          { facts: after, timeZone },
          row.published_at,
          scope.config.JOB_LIFE_DAYS,
        )
      : row.expires_at;
  const changed = await updateJobVersion(tx, jobId, version, {
    title: input.title,
    category: input.category,
    requirements: input.requirements,
    skills: input.skills,
    cv_required: cvRequired,
    instant_hire: instantHire,
    ...factColumns(after, row.pay_unit),
    ...place,
    pay_max_minor:
      row.pay_max_minor !== null && (after.payMinor ?? 0) > row.pay_max_minor ? null : row.pay_max_minor,
    expires_at: expiresAt,
    updated_at: now,
  });
  if (!changed) throw new AppError('job/stale');
  if (
    row.status === 'open' &&
    row.published_at &&
    expiresAt &&
    expiresAt.getTime() !== row.expires_at?.getTime()
  )
    await setTimers(tx, scope, jobId, row.published_at, expiresAt);
  if (input.questions) await askQuestions(tx, now, jobId, input.questions);
  const asksElse = input.skills !== undefined || input.category !== undefined || input.place !== undefined;
  if (row.status !== 'draft' && (asksElse || changes.includes('hours'))) await rankJob(tx, jobId);
  if (row.status !== 'draft' && changes.includes('hours')) await startMoved(tx, jobId);
  if (after.headCount !== before.headCount && row.status !== 'draft') await seatsChanged(tx, scope, jobId);
  // Other pay, hours or seats of an instant hire need other money; what the balance does not cover is refused (ADR 0075).
  if (row.status === 'open') await fundSeats(tx, scope, jobId, { all: true });
  if (changes.length > 0 && row.status !== 'draft')
    await tellApplicantsOfChange(
      tx,
      scope,
      { ...row, title: input.title ?? row.title },
      { version: version + 1, changes },
    );
  return viewJob(tx, accountId, jobId);
}

/**
 * What was promised to whoever is hired or has an offer (product.md: pay never falls after a hire; head count never below hires). Their own terms are
 * frozen; the job must not tell everybody else something different about the same work.
 */
function demandKeptPromises(row: JobRow, before: JobFacts, after: JobFacts): void {
  const { hired_count: hired, offered_count: offered } = row;
  if (hired + offered === 0) return;
  if (after.headCount < hired + offered) throw new AppError('job/head-count-below-hires', { hired, offered });
  const changed = materialChanges(before, after).filter((what) => what === 'hours' || what === 'place');
  if (changed.length > 0) throw new AppError('job/terms-fixed', { changed });
  if (hired > 0 && (after.payMinor ?? 0) < (before.payMinor ?? 0))
    throw new AppError('job/pay-fell-after-hire');
}

/** After another head count: the status of the job follows its seats; a seat more is offered to the waitlist, and with none left the others are told. */
export async function seatsChanged(tx: Tx, scope: Scope, jobId: string): Promise<void> {
  if ((await settleSeats(tx, scope, jobId)) === 'filled') await enqueue(tx, fill, { jobId });
  else await seatFreed(tx, scope, jobId);
}

/**
 * A new draft like this job, without its dates; recruiters of the business may. The fees are those of today.
 * @throws job/not-found, job/not-allowed, business/wrong-state
 */
export async function duplicateJob(tx: Tx, scope: Scope, input: { jobId: string }): Promise<Job> {
  const { accountId } = scope.actor;
  await demandRecruiter(tx, accountId, input.jobId);
  const owner = await findJobOwner(tx, input.jobId);
  if (owner) await hiringBusiness(tx, owner.businessId);
  const row = await lockJob(tx, input.jobId);
  if (!row) throw new AppError('job/not-found');
  const now = scope.clock.now();
  const jobId = newId(now);
  await insertJob(tx, {
    id: jobId,
    business_id: row.business_id,
    business_name: row.business_name,
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
    cv_required: row.cv_required,
    instant_hire: row.instant_hire,
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
  return viewJob(tx, accountId, jobId);
}

/**
 * Deletes a draft; recruiters of the business may.
 * @throws job/not-found, job/not-allowed, job/wrong-state once it was published
 */
export async function deleteDraft(
  tx: Tx,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{ deleted: true }> {
  await demandRecruiter(tx, scope.actor.accountId, jobId);
  if (!(await deleteDraftJob(tx, jobId))) throw new AppError('job/wrong-state');
  return { deleted: true };
}

/** Sets the questions of a job. One that stays word for word keeps its id, so that answers already given still belong to it. */
async function askQuestions(tx: Tx, now: Date, jobId: string, questions: readonly Question[]): Promise<void> {
  const textOf = (question: Question) => JSON.stringify([question.prompt, question.kind, question.choices]);
  const known = new Map((await findQuestions(tx, [jobId])).map((row) => [textOf(row), row.id]));
  const rows = questions.map((question, position) => {
    const kept = known.get(textOf(question));
    known.delete(textOf(question));
    return {
      id: kept ?? newId(now),
      job_id: jobId,
      position,
      prompt: question.prompt,
      kind: question.kind,
      choices: [...question.choices],
      required: question.required,
    };
  });
  await replaceQuestions(tx, jobId, rows);
}
