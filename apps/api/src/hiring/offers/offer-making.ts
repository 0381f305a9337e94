import { applicantsPath, savedWorkersPath } from '@nearhand/contract/app-paths';
import { addMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { offerSources } from '@nearhand/contract/hiring/offers';
import type { Funding } from '@nearhand/contract/money/funding';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { awakeDeadline } from '@nearhand/contract/work/confirm.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { holdFromBalance, holdFromCard } from '../../money/holds/checkouts.ts';
import { createHolds, giveawayHold, setFundTimer } from '../../money/holds/hold-transitions.ts';
import { hasFundedSpot, takeSpot } from '../../money/holds/spot-holds.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { chooseFunding } from '../../money/wallet/wallet.ts';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb, Tx } from '../../platform/db.ts';
import type { ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { makeApplicationMove } from '../applications/application-transitions.ts';
import { createRebooked } from '../applications/rebooked.ts';
import type { HiringEvents } from '../hooks.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { requireTerms, workDeadline } from '../spots/spot-terms.ts';
import { freeSpotsOf, fundSpots, offerSpot } from '../spots/spots.ts';
import { expireOfferTask, offerExpiryKey, reminderKey, remindOfOfferTask } from './offer-transitions.ts';
import {
  extendOffer,
  findAgreedInterviewEnd,
  findOffersToMeet,
  insertOffer,
  insertOfferMove,
  type OfferRow,
} from './offers.sql.ts';

type Deadlines = Pick<JobRow, 'startsAt' | 'dueOn' | 'timeZone'>;

/** The expiry of an offer made now: not before the end of an interview that the worker agreed on for this job. */
export async function offerEndNow(
  db: ReadDb,
  scope: ClockConfigScope,
  job: JobRow,
  workerId: string,
): Promise<Date> {
  const interviewEnd = await findAgreedInterviewEnd(db, { jobId: job.id, workerId });
  return offerEnd(scope.clock.now(), scope.config.OFFER_HOURS, job, interviewEnd);
}

/** Extends sent offers until the end of an interview that was agreed after they were made. */
export const extendOffersPastInterview: HiringEvents['interviewAgreed'] = async (tx, { clock }, { id }) => {
  for (const offer of await findOffersToMeet(tx, id)) {
    const interviewEnd = await findAgreedInterviewEnd(tx, offer);
    const expiresAt = interviewEnd && notBefore(interviewEnd, offer.expiresAt, offer);
    if (expiresAt && expiresAt > offer.expiresAt && (await extendOffer(tx, offer.id, expiresAt)))
      await setOfferTimers(tx, clock.now(), { id: offer.id, expiresAt });
  }
};

/**
 * Offers a job to a worker on its current terms (ADR 165). The caller checks access, locks the job, and
 * notifies the worker of a sent offer.
 * @throws offer/no-spot, offer/pay-below-job, offer/terms-missing, offer/starts-in-past,
 * application/wrong-state, payment/…
 */
export async function offerJob(
  tx: Tx,
  scope: Scope,
  offer: {
    job: JobRow;
    workerId: string;
    applicationId: string | null;
    payMinor: number | undefined;
    message: string;
    funding: FundingSource | undefined;
    /** The end of the offer; `offerEndNow` if absent. */
    until?: Date;
  },
): Promise<OfferRow> {
  const { job, workerId, message } = offer;
  const { accountId: actor } = scope.actor;
  const terms = requireTerms(scope, job, offer.payMinor);
  if (freeSpotsOf(job) < 1) throw new AppError('offer/no-spot');
  const funding = await fundingOfOffer(tx, scope, job, terms, offer.funding);
  const expiresAt = offer.until ?? (await offerEndNow(tx, scope, job, workerId));
  let { applicationId } = offer;
  const source = applicationId === null ? 'rebook' : 'business';
  if (funding.from !== 'card' && applicationId === null) {
    applicationId = await createRebooked(tx, scope, { jobId: job.id, workerId, actor, until: expiresAt });
  } else if (funding.from !== 'card' && applicationId !== null) {
    const move = { applicationId, action: 'offer', who: 'business', actor } as const;
    const { moved, to } = await makeApplicationMove(tx, scope, move);
    if (!moved) throw new AppError('application/wrong-state', { status: to });
  }
  const row = await createOffer(tx, scope, {
    job,
    applicationId,
    workerId,
    terms,
    source,
    message,
    funding,
    actor,
    expiresAt,
  });
  return row;
}

/**
 * `spot`: the money reserved at publishing. `plan`: set aside some days before the shift (ADR 399). `engagement`: the
 * hold of work that its worker gives away (ADR 385).
 */
type OfferFunding =
  | FundingSource
  | { from: 'spot' }
  | { from: 'plan' }
  | { from: 'engagement'; engagementId: string; funding: Funding };

/**
 * Chooses what pays an offer: a funded spot of an instant hire, a later date (ADR 399), or the source that a recruiter
 * named, if any. The job must be locked.
 * @throws payment/balance-short (data: missingMinor, currency), payment/card-not-found, payment/method-missing
 */
export async function fundingOfOffer(
  tx: Tx,
  scope: MoneyScope,
  { id: jobId, businessId, instantHire }: Pick<JobRow, 'id' | 'businessId' | 'instantHire'>,
  terms: Terms,
  wanted?: FundingSource,
): Promise<FundingSource | { from: 'spot' } | { from: 'plan' }> {
  if (instantHire && (await hasFundedSpot(tx, jobId, terms))) return { from: 'spot' };
  if (terms.plannedFunding) return { from: 'plan' };
  const { holdMinor: amountMinor, currency } = terms;
  const funding = amountMinor === 0 ? { from: 'balance' as const } : wanted;
  return chooseFunding(tx, scope, { businessId, amountMinor, currency, funding });
}

/**
 * Creates an offer, takes its spot and funds it. The job must be locked; `actor` is null for the platform.
 * @throws offer/no-spot, payment/balance-short (data: missingMinor, currency), payment/card-not-found
 */
export async function createOffer(
  tx: Tx,
  scope: MoneyScope,
  options: {
    job: JobRow;
    /** Null for an unpaid offer to a worker who did not apply. */
    applicationId: string | null;
    workerId: string;
    terms: Terms;
    source: (typeof offerSources)[number];
    message: string;
    actor: string | null;
    funding: OfferFunding;
    /** `offerEndNow` unless the caller knows it. */
    expiresAt?: Date;
  },
): Promise<OfferRow> {
  const { job, terms, source, funding } = options;
  await offerSpot(tx, job.id);
  // The terms differ from the spot's, so its money is no longer needed.
  if (job.instantHire && funding.from !== 'spot') await fundSpots(tx, scope, job.id, { all: false });
  const now = scope.clock.now();
  const offerId = newId(now);
  const isSent = funding.from !== 'card';
  const status = isSent ? ('sent' as const) : ('funding' as const);
  const unwritten: OfferRow = {
    id: offerId,
    version: 1,
    applicationId: options.applicationId,
    jobId: job.id,
    businessId: job.businessId,
    workerId: options.workerId,
    status,
    source,
    terms,
    funding: firstFunding(funding),
    message: options.message,
    sentAt: isSent ? now : null,
    expiresAt: options.expiresAt ?? (await offerEndNow(tx, scope, job, options.workerId)),
    decidedAt: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
  };
  const row = { ...unwritten, terms: await insertOffer(tx, unwritten) };
  await insertOfferMove(tx, {
    id: newId(now),
    offerId,
    actor: options.actor ?? 'timer',
    side: options.actor === null ? 'timer' : 'business',
    action: isSent ? 'send' : 'make',
    fromStatus: null,
    toStatus: status,
    reason: null,
    at: now,
  });
  await setAside(tx, scope, row, funding);
  if (isSent && source !== 'instant') await setOfferTimers(tx, now, row);
  return row;
}

function firstFunding(funding: OfferFunding): Funding {
  if (funding.from === 'engagement') return funding.funding;
  if (funding.from === 'plan') return 'planned';
  return funding.from === 'card' ? 'not_funded' : 'funded';
}

/** The app path where the business pays for an offer whose money is missing. */
export const payingPath = (offer: Pick<OfferRow, 'id' | 'jobId' | 'applicationId'>): string =>
  offer.applicationId === null
    ? savedWorkersPath(offer.id)
    : applicantsPath(offer.jobId, offer.applicationId);

async function setAside(
  tx: Tx,
  scope: MoneyScope,
  { id: offerId, jobId, businessId, terms, applicationId }: OfferRow,
  funding: OfferFunding,
): Promise<void> {
  if (funding.from === 'engagement') {
    await giveawayHold(tx, scope, { engagementId: funding.engagementId, offerId });
    return;
  }
  if (funding.from === 'spot') {
    if (!(await takeSpot(tx, { jobId, offerId, terms }))) throw new AppError('offer/no-spot');
    return;
  }
  const [hold] = await createHolds(tx, scope, { businessId, jobId, offerId, terms });
  if (!hold) throw new Error(`offer ${offerId} has no hold`);
  if (funding.from === 'plan') await setFundTimer(tx, hold.id, hold.fundAt ?? scope.clock.now());
  else if (funding.from === 'balance') await holdFromBalance(tx, scope, [hold]);
  else
    await holdFromCard(tx, scope, hold, {
      cardId: funding.cardId,
      inApp: funding.inApp,
      description: `Pay reserved: ${terms.title}`,
      page: payingPath({ id: offerId, jobId, applicationId }),
    });
}

/** Queues expiry and reminder of a sent offer. */
export async function setOfferTimers(
  tx: Tx,
  now: Date,
  row: Pick<OfferRow, 'id' | 'expiresAt'>,
): Promise<void> {
  const { id: offerId, expiresAt } = row;
  await enqueue(tx, expireOfferTask, { offerId }, { runAt: expiresAt, key: offerExpiryKey(offerId) });
  const remindAt = reminderAt(now, expiresAt);
  if (remindAt)
    await enqueue(tx, remindOfOfferTask, { offerId }, { runAt: remindAt, key: reminderKey(offerId) });
}

const reminderHours = 6;

/**
 * The end of an offer: never at night (`awakeDeadline`), not before an agreed interview, and not after the
 * start of the work or a task's due date.
 */
export const offerEnd = (
  sentAt: Date,
  hours: number,
  job: Deadlines,
  interviewEnd: Date | null = null,
): Date => notBefore(interviewEnd, addMs(sentAt, hours * hourMs), job);

const notBefore = (interviewEnd: Date | null, end: Date, job: Deadlines): Date =>
  awakeDeadline(interviewEnd && interviewEnd > end ? interviewEnd : end, job.timeZone, workDeadline(job));

/** Null if the offer expires so soon that its own notice is still fresh. */
export function reminderAt(sentAt: Date, expiresAt: Date): Date | null {
  const at = subtractMs(expiresAt, reminderHours * hourMs);
  return at > sentAt ? at : null;
}
