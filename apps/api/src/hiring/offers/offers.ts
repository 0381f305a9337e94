import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { keepsApplicant } from '@nearhand/contract/hiring/applications.rules';
import { stillHires } from '@nearhand/contract/hiring/jobs.rules';
import { type Offer, type OfferAction, type OfferPreview, offers } from '@nearhand/contract/hiring/offers';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { relationTo } from '@nearhand/contract/people/team.rules';
import type { SpotProblem } from '@nearhand/contract/talk/topics/notice-facts';
import { dayOfWork, requireBudgets } from '../../money/budgets/budget-limits.ts';
import { passToEngagement } from '../../money/holds/hold-transitions.ts';
import type { MoneyEvents, MoneyScope } from '../../money/hooks.ts';
import { chooseFunding } from '../../money/wallet/wallet.ts';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { hiringBusiness, isHiring } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { postSystemMessage } from '../../talk/messages/system-messages.ts';
import { bookEngagement, findBookings } from '../../work/engagements/booking.ts';
import { spotProblemOf } from '../../work/engagements/engagements.sql.ts';
import { makeApplicationMove, mayMoveOn, postponeDecideBy } from '../applications/application-transitions.ts';
import { moveAfterOffer } from '../applications/applications.rules.ts';
import { fillSoon } from '../applications/end-applications.ts';
import { type HiringNeeds, hiringHooks } from '../hooks.ts';
import { hasLiveInterview } from '../interviews/interviews.sql.ts';
import { findJob, lockJob, requireWholeBlock } from '../jobs/job-transitions.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { findJobRows, lockJobRows } from '../jobs/jobs.sql.ts';
import { jobPay, possibleTerms, requireTerms } from '../spots/spot-terms.ts';
import { freeSpotsOf, hireSpot } from '../spots/spots.ts';
import { type SharedLine, sharedLine } from './offer-lines.ts';
import { offerEndNow, offerJob } from './offer-making.ts';
import { notifyOfOffer, notifyOfOffers } from './offer-notices.ts';
import { expireOfferTask, moveOffer, offerExpiryKey, remindOfOfferTask } from './offer-transitions.ts';
import { getOffer, myOffers } from './offer-views.ts';
import { canOffer, nextOfferStatus, offerSide } from './offers.rules.ts';
import {
  applicationIdOf,
  findLiveOffers,
  findOfferedApplication,
  findOfferPlace,
  findRestOfOffers,
  findSentOffersOf,
  findStatusBeforeOffer,
  lockOffer,
  type OfferRow,
  type SentOffer,
} from './offers.sql.ts';

type Request = { applicationId: string; payMinor?: number };
type OfferRef = { offerId: string; version: number };

/**
 * Offers the job to an applicant on its current terms, and with `alsoFor`, the other shifts of its series
 * that they applied for: all or none, from one source of money. A block needs all its dates (ADR 414). With
 * `replaces`, withdraws these open offers first and notifies the worker only of the new ones (ADR 377). Pay in minor
 * units, at least the job's; of several shifts, better paid ones keep their pay. Takes a spot.
 */
export async function makeOffer(tx: Tx, scope: Scope, input: OfferRequest): Promise<Offer> {
  const { alsoFor = [], replaces = [] } = input;
  const applicationIds = [input.applicationId, ...alsoFor];
  const isSingle = alsoFor.length + replaces.length === 0;
  const { withdrawn, ...terms } = isSingle
    ? { funding: input.funding, withdrawn: [] }
    : await prepareOffers(tx, scope, input, applicationIds);
  const offersById = new Map<string, OfferRow>();
  // Opening applications locks them in the order of their ids too.
  for (const applicationId of applicationIds.toSorted())
    offersById.set(
      applicationId,
      await offerShift(tx, scope, { ...input, ...terms, applicationId }, alsoFor.length > 0),
    );
  const offers = applicationIds.flatMap((id) => offersById.get(id) ?? []);
  await notifyOfNewOffers(tx, scope, offers, withdrawn);
  return getOffer(tx, scope, { offerId: offers[0]?.id ?? '' });
}

/** Locks what is offered at once, withdraws the replaced offers, and chooses one source of money and one end. */
async function prepareOffers(
  tx: Tx,
  scope: Scope,
  { alsoFor = [], replaces = [], ...input }: OfferRequest,
  applicationIds: readonly string[],
): Promise<{ funding?: FundingSource; until?: Date; withdrawn: OfferRow[] }> {
  const applications = [];
  for (const id of applicationIds) applications.push(await requireApplicant(tx, scope, id));
  const businessId = applications[0]?.businessId;
  if (!businessId || applications.some((application) => application.businessId !== businessId))
    throw new AppError('offer/shift-differs');
  await hiringBusiness(tx, businessId);
  const jobs = alsoFor.length > 0 ? await lockShifts(tx, applications) : [];
  await requireWholeBlock(tx, scope, jobs);
  const withdrawn: OfferRow[] = [];
  for (const ref of replaces) withdrawn.push(await replaceOffer(tx, scope, ref, applicationIds));
  const funding = jobs.length > 0 ? await fundingOfShifts(tx, scope, jobs, input) : input.funding;
  const isBlock = jobs.some(({ asBlock }) => asBlock);
  return {
    funding,
    until: isBlock ? await blockEnd(tx, scope, jobs, applications) : undefined,
    withdrawn,
  };
}

/** Notifies workers of new offers, and of withdrawn ones whose new offer a card has yet to pay. */
async function notifyOfNewOffers(
  tx: Tx,
  scope: Scope,
  offers: readonly OfferRow[],
  withdrawn: readonly OfferRow[],
): Promise<void> {
  const sentOffers = offers.filter(({ status }) => status === 'sent');
  const sentBefore = withdrawn.filter(({ status }) => status === 'sent');
  const received = { topic: 'offer-received', to: ['worker'] } as const;
  await notifyOfOffers(
    tx,
    scope,
    sentOffers,
    sentBefore.length > 0 ? { ...received, variant: 'changed' } : received,
  );
  // The new offer is sent once a card has paid it, and the earlier one can't be accepted in the meantime.
  const unpaid = new Set(offers.flatMap((offer) => (offer.status === 'funding' ? offer.applicationId : [])));
  await notifyOfOffers(
    tx,
    scope,
    sentBefore.filter(({ applicationId }) => unpaid.has(applicationId)),
    { topic: 'offer-withdrawn', to: ['worker'], variant: 'kept' },
  );
}

/**
 * Replaces the sent offers of edited jobs with offers on the new terms, with one notice per worker. If a job no
 * longer hires, its offers are withdrawn and the applicants kept. An offer above the job's pay keeps its pay.
 * The balance pays, as an edit names no card. The business and the jobs must be locked.
 * @throws as `makeOffer`
 */
export const renewOffers: HiringNeeds['renewOffers'] = async (tx, scope, jobIds) => {
  const groups = new Map<string, SentOffer[]>();
  for (const offer of await findSentOffersOf(tx, jobIds)) {
    const payMinor = Math.max(offer.payMinor, offer.jobPayMinor);
    // The dates of a block stay together, whatever each of them pays.
    const key = JSON.stringify(
      offer.blockId === null
        ? [offer.hires, offer.workerId, payMinor, offer.message]
        : [offer.blockId, offer.workerId],
    );
    groups.set(key, [...(groups.get(key) ?? []), { ...offer, payMinor }]);
  }
  for (const offers of groups.values()) {
    const [first, ...laterOffers] = offers;
    if (!first) continue;
    const refs = offers.map(({ id, version }) => ({ offerId: id, version }));
    if (offers.every(({ hires }) => hires))
      await makeOffer(tx, scope, {
        applicationId: first.applicationId,
        alsoFor: laterOffers.map(({ applicationId }) => applicationId),
        replaces: refs,
        payMinor: Math.min(...offers.map(({ payMinor }) => payMinor)),
        pays: new Map(offers.map(({ jobId, payMinor }) => [jobId, payMinor])),
        message: first.message,
        funding: { from: 'balance' },
      });
    else {
      const [ref, ...alsoFor] = refs;
      if (ref) await withdrawOffer(tx, scope, { ...ref, reason: '', keepsApplicant: true, alsoFor });
    }
  }
};

/**
 * Withdraws an offer for a new one to the same applicant. Its spot is not passed on.
 * @returns it as it was
 */
async function replaceOffer(
  tx: Tx,
  scope: Scope,
  ref: OfferRef,
  applicationIds: readonly string[],
): Promise<OfferRow> {
  const row = await openOffer(tx, scope, ref, 'withdraw');
  if (!row) throw new AppError('offer/wrong-state', { status: 'withdrawn' });
  if (row.applicationId === null || !applicationIds.includes(row.applicationId))
    throw new AppError('offer/not-found');
  await returnApplicant(tx, scope, row);
  const mover = { side: 'business', accountId: scope.actor.accountId } as const;
  await moveOffer(tx, scope, row, { action: 'withdraw', mover, keepsApplicant: true });
  return row;
}

/**
 * Returns the applicant of a sent offer to the stage they were in before it. The business then has as long to
 * decide as an offer lasts.
 * @throws offer/wrong-state if there was no such stage
 */
async function returnApplicant(tx: Tx, scope: Scope, row: OfferRow): Promise<void> {
  if (row.status !== 'sent') return;
  const applicationId = applicationIdOf(row);
  const before = await findStatusBeforeOffer(tx, applicationId);
  const action =
    keepsApplicant(row.source) && before
      ? moveAfterOffer(before, await hasLiveInterview(tx, applicationId))
      : null;
  if (!action) throw new AppError('offer/wrong-state', { status: row.status });
  await makeApplicationMove(tx, scope, {
    applicationId,
    action,
    who: 'business',
    actor: scope.actor.accountId,
  });
  const until = addMs(scope.clock.now(), scope.config.OFFER_HOURS * hourMs);
  await postponeDecideBy(tx, scope, applicationId, until);
}

/**
 * Locks the jobs of shifts that are decided on at once, before anything after them (ADR 38).
 * @throws offer/shift-differs unless they belong to one series and one worker
 */
async function lockShifts(tx: Tx, shifts: readonly { jobId: string; workerId: string }[]): Promise<JobRow[]> {
  const jobs = await lockJobRows(
    tx,
    shifts.map(({ jobId }) => jobId),
  );
  const [first] = jobs;
  const isOtherSeries =
    !first?.seriesId ||
    jobs.length < shifts.length ||
    jobs.some(({ seriesId }) => seriesId !== first.seriesId) ||
    shifts.some(({ workerId }) => workerId !== shifts[0]?.workerId);
  if (isOtherSeries) throw new AppError('offer/shift-differs');
  return jobs;
}

/**
 * Chooses the source for the sum, so that the balance does not pay some shifts and a card the others. Budgets
 * are checked for the sum too, so that an owner approves all of it at once.
 */
export async function fundingOfShifts(
  tx: Tx,
  scope: Scope,
  jobs: readonly JobRow[],
  { payMinor, funding, pays }: Pick<NewOffer, 'payMinor' | 'funding' | 'pays'>,
): Promise<FundingSource | undefined> {
  const minPay = Math.min(...jobs.map((job) => jobPay(job) ?? 0));
  if (payMinor !== undefined && payMinor < minPay)
    throw new AppError('offer/pay-below-job', { payMinor: minPay });
  const shifts = jobs.map((job) => ({
    id: job.id,
    terms: requireTerms(scope, job, pays?.get(job.id) ?? maxPay(payMinor, job)),
  }));
  const [job] = jobs;
  // Pay that is set aside later needs no money now, but counts against budgets (ADR 399).
  const amountMinor = sumOf(shifts, ({ terms }) => (terms.plannedFunding ? 0 : terms.holdMinor));
  if (!job) return funding;
  const { businessId, currency } = job;
  await requireBudgets(
    tx,
    scope,
    { businessId, currency },
    shifts.map(({ id: jobId, terms }) => ({
      jobId,
      day: dayOfWork(scope, terms),
      amountMinor: terms.holdMinor,
    })),
  );
  if (amountMinor === 0) return funding;
  // A card is charged for each date, and could pay for some of a block only.
  const wanted = jobs.some(({ asBlock }) => asBlock) ? ({ from: 'balance' } as const) : funding;
  return chooseFunding(tx, scope, { businessId, amountMinor, currency, funding: wanted });
}

/**
 * All dates of a block are answered by the earliest end of their offers, and before the pay of any must be set aside: an
 * offer that ends without money would end alone.
 */
async function blockEnd(
  tx: Tx,
  scope: Scope,
  jobs: readonly JobRow[],
  [application]: readonly { workerId: string }[],
): Promise<Date> {
  const ends: number[] = [];
  for (const job of jobs) {
    const end = await offerEndNow(tx, scope, job, application?.workerId ?? '');
    const fundBy = possibleTerms(scope, job)?.plannedFunding?.by;
    ends.push(end.getTime());
    if (fundBy) ends.push(Date.parse(fundBy) - minuteMs);
  }
  return new Date(Math.min(...ends));
}

type NewOffer = Request & {
  message: string;
  funding?: FundingSource;
  /** The end of the offers; by default each has its own. */
  until?: Date;
  /** The pay of single jobs by id, of offers that are made again. */
  pays?: ReadonlyMap<string, number>;
};

type OfferRequest = NewOffer & { alsoFor?: string[]; replaces?: OfferRef[] };

/** The pay for one of several shifts; undefined means its job's pay. */
const maxPay = (payMinor: number | undefined, job: JobRow): number | undefined =>
  payMinor === undefined ? undefined : Math.max(payMinor, jobPay(job) ?? payMinor);

async function offerShift(tx: Tx, scope: Scope, input: NewOffer, isOneOfSeveral: boolean): Promise<OfferRow> {
  const { applicationId, message } = input;
  const { jobId, businessId } = await requireApplicant(tx, scope, applicationId);
  await hiringBusiness(tx, businessId);
  const job = await lockJob(tx, jobId);
  requireOffering(job);
  if (!isOneOfSeveral) await requireWholeBlock(tx, scope, [job]);
  // Reads again under the lock.
  const application = await requireApplicant(tx, scope, applicationId);
  const [waits] = await findLiveOffers(tx, [applicationId]);
  // Another member has just made an offer, so this is not a repeat.
  if (waits || !mayMoveOn(application.status, 'offer', 'business'))
    throw new AppError('application/wrong-state', { status: application.status });
  const { workerId } = application;
  const payMinor = isOneOfSeveral ? (input.pays?.get(jobId) ?? maxPay(input.payMinor, job)) : input.payMinor;
  const { funding, until } = input;
  return offerJob(tx, scope, { job, workerId, applicationId, payMinor, message, funding, until });
}

/**
 * Previews the terms and cost of an offer, or of its replacement while one is open. The worker's other work
 * shows only as a conflict.
 */
async function previewOffer(db: Db, scope: Scope, input: Request): Promise<OfferPreview> {
  const application = await requireApplicant(db, scope, input.applicationId);
  const job = await findJob(db, application.jobId);
  requireOffering(job);
  const [open] = await findLiveOffers(db, [input.applicationId]);
  if (!open && !mayMoveOn(application.status, 'offer', 'business'))
    throw new AppError('application/wrong-state', { status: application.status });
  const { workerId } = application;
  const preview = await previewTerms(db, scope, job, { workerId, payMinor: input.payMinor });
  return open ? { ...preview, spotsFree: preview.spotsFree + 1 } : preview;
}

/**
 * Returns the terms that a new offer would have. The caller checks access.
 * @throws offer/terms-missing, offer/pay-below-job, offer/starts-in-past, request/invalid
 */
export async function previewTerms(
  db: Db,
  scope: Scope,
  job: JobRow,
  { workerId, payMinor }: { workerId: string; payMinor: number | undefined },
): Promise<OfferPreview> {
  const terms = requireTerms(scope, job, payMinor);
  const booked = job.startsAt && job.endsAt ? await findBookings(db, workerId, job.startsAt, job.endsAt) : [];
  return {
    terms,
    spotsFree: Math.max(0, freeSpotsOf(job)),
    expiresAt: (await offerEndNow(db, scope, job, workerId)).toISOString(),
    workerBooked: booked.length > 0,
  };
}

/**
 * Accepts an offer before it expires, with the offers in `alsoFor` for other shifts of its series, and
 * declines the open ones in `declines`: all or none. A block needs all its dates (ADR 414). Books the work. The caller
 * must be its worker.
 */
export async function acceptOffer(
  tx: Tx,
  scope: Scope,
  { alsoFor = [], ...input }: OfferRef & { alsoFor?: OfferRef[]; declines?: OfferRef[] },
): Promise<Offer> {
  const declines = await withBlocks(tx, input.declines ?? []);
  await lockShiftsOfOffers(tx, scope, [input, ...alsoFor, ...declines], 'accept');
  const accepted = await openOffers(tx, scope, [input, ...alsoFor], 'accept');
  const acceptedIds = accepted.map(({ jobId }) => jobId);
  if (acceptedIds.length > 0) await requireWholeBlock(tx, scope, await findJobRows(tx, acceptedIds));
  const declined = await openOffers(tx, scope, declines, 'decline');
  // Runs first, so that the conversation ends with the hire.
  if (declined.length > 0) await endOffers(tx, scope, declined, { action: 'decline', reason: '' });
  const shared = sharedLine(accepted);
  const engagementIds: string[] = [];
  let interviewEnds = false;
  for (const row of accepted) {
    if (await hasLiveInterview(tx, applicationIdOf(row))) interviewEnds = true;
    engagementIds.push(await hire(tx, scope, row, shared));
  }
  const [engagementId] = engagementIds;
  if (engagementId)
    await notifyOfOffers(tx, scope, accepted, {
      topic: 'offer-accepted',
      to: ['worker', 'business'],
      engagementId,
      variant: interviewEnds ? 'no-interview' : undefined,
    });
  return getOffer(tx, scope, input);
}

/** Adds the worker's other open offers for the same block: it is declined and withdrawn whole (ADR 414). */
async function withBlocks(tx: Tx, refs: readonly OfferRef[]): Promise<OfferRef[]> {
  const ids = refs.map(({ offerId }) => offerId);
  return [...refs, ...(await findRestOfOffers(tx, ids))];
}

/** Locks the shifts of several offers that the caller may move, all of one series and to one worker. */
async function lockShiftsOfOffers(
  tx: Tx,
  scope: Scope,
  refs: readonly OfferRef[],
  action: OfferAction,
): Promise<void> {
  if (refs.length < 2) return;
  const places = [];
  for (const { offerId } of refs) places.push(await requireOfferPlace(tx, scope, offerId, action));
  await lockShifts(tx, places);
}

/** Opens the offers of locked shifts. Leaves out repeated moves and declines of ended offers. */
async function openOffers(
  tx: Tx,
  scope: Scope,
  refs: readonly OfferRef[],
  action: OfferAction,
): Promise<OfferRow[]> {
  const rows: OfferRow[] = [];
  for (const ref of refs) {
    const place = action === 'decline' ? await findOfferPlace(tx, ref.offerId, null) : undefined;
    if (place?.status === 'withdrawn' || place?.status === 'expired') continue;
    const row = await openOffer(tx, scope, ref, action);
    if (row) rows.push(row);
  }
  return rows;
}

/**
 * Declines an offer, with the open offers in `alsoFor` for other shifts of its series: all or none. For its
 * worker.
 */
export async function declineOffer(
  tx: Tx,
  scope: Scope,
  { alsoFor = [], ...input }: OfferRef & { reason: string; alsoFor?: OfferRef[] },
): Promise<Offer> {
  const [, ...otherRefs] = await withBlocks(tx, [input, ...alsoFor]);
  await lockShiftsOfOffers(tx, scope, [input, ...otherRefs], 'decline');
  const row = await openOffer(tx, scope, input, 'decline');
  const otherOffers = await openOffers(tx, scope, otherRefs, 'decline');
  const rows = row ? [row, ...otherOffers] : otherOffers;
  await endOffers(tx, scope, rows, { action: 'decline', reason: input.reason });
  return getOffer(tx, scope, input);
}

/**
 * Withdraws an offer, with the offers in `alsoFor` for other shifts of its series: all or none. Ends the
 * applications, or with `keepsApplicant` returns them to their earlier stage.
 */
export async function withdrawOffer(
  tx: Tx,
  scope: Scope,
  {
    alsoFor = [],
    ...input
  }: OfferRef & { reason: string; keepsApplicant?: boolean; alsoFor?: readonly OfferRef[] },
): Promise<Offer> {
  const refs = await withBlocks(tx, [input, ...alsoFor]);
  await lockShiftsOfOffers(tx, scope, refs, 'withdraw');
  const rows = await openOffers(tx, scope, refs, 'withdraw');
  const { reason, keepsApplicant } = input;
  await endOffers(tx, scope, rows, { action: 'withdraw', reason, keepsApplicant });
  return getOffer(tx, scope, input);
}

type OfferEnd = { action: 'decline' | 'withdraw'; reason: string; keepsApplicant?: boolean };

async function endOffers(
  tx: Tx,
  scope: Scope,
  rows: readonly OfferRow[],
  { action, keepsApplicant = false, ...input }: OfferEnd,
): Promise<void> {
  const { accountId } = scope.actor;
  const reason = input.reason || undefined;
  const isDecline = action === 'decline';
  const side = isDecline ? 'worker' : 'business';
  const sentOffers = rows.filter(({ status }) => status === 'sent');
  const shared = sharedLine(sentOffers);
  for (const row of rows) {
    if (keepsApplicant) await returnApplicant(tx, scope, row);
    else if (row.status === 'sent')
      await makeApplicationMove(tx, scope, {
        applicationId: applicationIdOf(row),
        action: isDecline ? 'decline-offer' : 'withdraw-offer',
        who: side,
        actor: accountId,
        reason,
      });
    await moveOffer(tx, scope, row, {
      action,
      mover: { side, accountId },
      reason: reason ?? null,
      keepsApplicant,
      shared,
    });
  }
  // A free spot may open a hidden job or send it to review, so the notices come after it.
  for (const { jobId } of rows) await hiringHooks.on.spotFreed(tx, scope, jobId);
  if (!isDecline) {
    const variant = keepsApplicant ? 'kept' : undefined;
    return notifyOfOffers(tx, scope, sentOffers, {
      topic: 'offer-withdrawn',
      to: ['worker'],
      variant,
      reason,
    });
  }
  const problems = new Map<string, SpotProblem | undefined>();
  for (const { jobId } of sentOffers) problems.set(jobId, await spotProblemOf(tx, jobId, scope.clock.now()));
  for (const [spotProblem, offers] of Map.groupBy(sentOffers, ({ jobId }) => problems.get(jobId)))
    await notifyOfOffers(tx, scope, offers, {
      topic: 'offer-declined',
      to: ['business'],
      spotProblem,
      reason,
    });
}

/** The job, worker and caller's relation of an offer that the caller may move. */
async function requireOfferPlace(tx: Tx, scope: Scope, offerId: string, action: OfferAction) {
  const { accountId } = scope.actor;
  const place = await findOfferPlace(tx, offerId, accountId);
  const relation = relationTo(place, accountId);
  if (!place || offerSide(relation, place.status) === null) throw new AppError('offer/not-found');
  if (!canOffer(relation, action)) throw new AppError('offer/not-allowed');
  return { ...place, relation };
}

/** Locks the job, then the offer (ADR 38); null for a repeat. */
async function openOffer(
  tx: Tx,
  scope: Scope,
  { offerId, version }: OfferRef,
  action: OfferAction,
): Promise<OfferRow | null> {
  const { jobId, relation } = await requireOfferPlace(tx, scope, offerId, action);
  const job = await lockJob(tx, jobId);
  const row = await lockOffer(tx, offerId);
  if (!row) throw new AppError('offer/not-found');
  const side = relation === 'worker' ? 'worker' : 'business';
  const to = nextOfferStatus(row.status, action, side);
  if (to === row.status) return null;
  const isExpired = row.status === 'expired' || (row.status === 'sent' && row.expiresAt <= scope.clock.now());
  if (action === 'accept' && isExpired)
    throw new AppError('offer/expired', { expiresAt: row.expiresAt.toISOString() });
  if (row.version !== version) {
    const staleData = await changedBy(tx, row, side, await lastMove(tx, 'offer_moves', offerId));
    throw new AppError('offer/stale', { status: row.status, ...staleData });
  }
  const canHire =
    action !== 'accept' ||
    (job.status !== 'suspended' && (await isHiring(tx, job.businessId, scope.clock.now())));
  if (to === null || !canHire) throw new AppError('offer/wrong-state', { status: row.status });
  return row;
}

async function requireApplicant(db: Db, scope: Scope, applicationId: string) {
  const { accountId } = scope.actor;
  const application = await findOfferedApplication(db, applicationId, accountId);
  const relation = relationTo(application, accountId);
  if (!application || relation === null) throw new AppError('application/not-found');
  if (!canOffer(relation, 'make')) throw new AppError('application/not-allowed');
  return application;
}

/** @throws job/wrong-state (data: status) unless the job is still hiring */
export function requireOffering(job: JobRow): void {
  if (!stillHires(job.status)) throw new AppError('job/wrong-state', { status: job.status });
}

/** Expires an unanswered offer (product.md: 48 h), with the others of its block, and offers the spots to the waitlist. */
export async function expireOffer(scope: TaskScope, offerId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const rest = await findRestOfOffers(tx, [offerId]);
    const [row, ...otherRows] = await lockLive(tx, [offerId, ...rest.map((other) => other.offerId)]);
    if (row?.id !== offerId) return;
    // The clock was ahead and has been corrected. Retries a minute late, because a queue whose clock is ahead would
    // retry at once.
    if (row.expiresAt > scope.clock.now()) {
      const runAt = addMs(row.expiresAt, 60_000);
      await enqueue(tx, expireOfferTask, { offerId }, { runAt, key: offerExpiryKey(offerId) });
      return;
    }
    await endExpired(tx, scope, [row, ...otherRows]);
  });
}

/** Expires sent offers of one worker, which are locked. `unfunded`: its pay was not set aside by the deadline. */
async function endExpired(
  tx: Tx,
  scope: MoneyScope,
  rows: readonly OfferRow[],
  variant?: 'unfunded',
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const shared = sharedLine(rows);
  for (const row of rows) {
    const applicationId = applicationIdOf(row);
    await makeApplicationMove(tx, scope, {
      applicationId,
      action: 'expire-offer',
      who: 'timer',
      actor: 'timer',
    });
    await moveOffer(tx, scope, row, { action: 'expire', mover: { side: 'timer' }, shared });
  }
  // A free spot may open a hidden job or send it to review, so the notice comes after it.
  for (const { jobId } of rows) await hiringHooks.on.spotFreed(tx, scope, jobId);
  await notifyOfOffers(tx, scope, rows, {
    topic: 'offer-expired',
    to: ['worker', 'business'],
    variant,
    spotProblem: await spotProblemOf(tx, first.jobId, scope.clock.now()),
  });
}

/**
 * Notifies recruiters that the pay of an open offer is not set aside, and at the deadline expires the offer (ADR 399).
 * Job, offer and hold are locked. An accepted offer is a booking, which `followLateFunding` follows.
 */
export const followLateOffer: MoneyEvents['fundingLate'] = async (tx, scope, late) => {
  if (late.engagementId !== null) return;
  const { stage, fundBy, amountMinor } = late;
  const row = await lockOffer(tx, late.offerId);
  if (row?.status !== 'sent') return;
  if (stage === 'over') return endExpired(tx, scope, [row], 'unfunded');
  await notifyOfOffer(tx, scope, row, {
    topic: 'pay-not-set-aside',
    to: ['business'],
    variant: `offer-${stage}`,
    by: fundBy,
    amountMinor,
    event: `${stage}/${fundBy.toISOString()}`,
  });
};

async function remindOfOffer(scope: TaskScope, offerId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    // One reminder covers all dates of a block.
    const restIds = (await findRestOfOffers(tx, [offerId])).map((other) => other.offerId);
    const rows = await lockLive(tx, [offerId, ...restIds]);
    const [row] = rows;
    if (row?.id !== offerId || row.expiresAt <= scope.clock.now()) return;
    if (rows.some(({ id }) => id < offerId)) return;
    await notifyOfOffers(tx, scope, rows, { topic: 'offer-reminder', to: ['worker'] });
  });
}

/** Locks the jobs, then the live offers; an unpaid offer follows its checkout's clock. */
async function lockLive(tx: Tx, offerIds: readonly string[]): Promise<OfferRow[]> {
  const jobIds: string[] = [];
  for (const offerId of offerIds) {
    const place = await findOfferPlace(tx, offerId, null);
    if (place) jobIds.push(place.jobId);
  }
  if (jobIds.length > 0) await lockJobRows(tx, jobIds);
  const rows = new Map<string, OfferRow>();
  for (const offerId of offerIds.toSorted()) {
    const row = await lockOffer(tx, offerId);
    if (row?.status === 'sent') rows.set(offerId, row);
  }
  return offerIds.flatMap((offerId) => rows.get(offerId) ?? []);
}

/**
 * Hires in the caller's transaction (product.md: hire is one tx). Job and offer must be locked.
 * @throws offer/wrong-state, application/wrong-state, engagement/overlap (data: the worker's own work at that time)
 */
export async function hire(
  tx: Tx,
  scope: MoneyScope,
  offer: OfferRow,
  shared: SharedLine = sharedLine([offer]),
): Promise<string> {
  const { workerId, jobId } = offer;
  const applicationId = applicationIdOf(offer);
  await makeApplicationMove(tx, scope, { applicationId, action: 'hire', who: 'worker', actor: workerId });
  await moveOffer(tx, scope, offer, {
    action: 'accept',
    mover: { side: 'worker', accountId: workerId },
    shared,
  });
  const engagementId = await bookEngagement(tx, scope, {
    offerId: offer.id,
    applicationId,
    jobId,
    businessId: offer.businessId,
    workerId,
    terms: offer.terms,
    funding: offer.funding,
  });
  await passToEngagement(tx, { offerId: offer.id, engagementId });
  const { filled } = await hireSpot(tx, scope, jobId);
  const { startsAt, endsAt } = offer.terms;
  await postSystemMessage(tx, scope, {
    jobId,
    workerId,
    line: 'hired',
    data:
      shared.count > 1
        ? { count: shared.count }
        : { startsAt: startsAt || undefined, endsAt: endsAt || undefined },
    key: shared.id || undefined,
  });
  if (filled) await fillSoon(tx, jobId);
  return engagementId;
}

export const offersTasks = [
  defineTask({ ...expireOfferTask, run: (scope, { offerId }) => expireOffer(scope, offerId) }),
  defineTask({ ...remindOfOfferTask, run: (scope, { offerId }) => remindOfOffer(scope, offerId) }),
];

export const offersRoutes = {
  make: write(offers.make, makeOffer),
  preview: read(offers.preview, previewOffer),
  mine: read(offers.mine, myOffers),
  get: read(offers.get, getOffer),
  accept: write(offers.accept, acceptOffer),
  decline: write(offers.decline, declineOffer),
  withdraw: write(offers.withdraw, withdrawOffer),
};
