import { applicantsPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/money';
import type { offerSources } from '@nearhand/contract/offers';
import type { CategoryId } from '@nearhand/contract/taxonomy';
import type { Terms } from '@nearhand/contract/terms';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks.ts';
import { dayEndsAt } from '../../platform/zoned-day.ts';
import {
  type ChosenFunding,
  createHolds,
  holdFromBalance,
  holdFromCard,
  type MoneyScope,
} from '../holds/holds.service.ts';
import { setSeats, takeSeat } from '../holds/seat-holds.service.ts';
import { findSeats, freeSeatsOf, type JobRow, offerSeat } from '../jobs/seats.service.ts';
import {
  basePay,
  fitsMoney,
  missingTerms,
  type OfferedJob,
  offerEnd,
  reminderAt,
  termsOf,
} from './offer-terms.rules.ts';
import { expiry, expiryKey, reminder, reminderKey } from './offers.clock.ts';
import { insertOffer, insertOfferMove, type OfferRow } from './offers.sql.ts';

/** What the terms take from a stored job. */
export const offeredJob = (row: JobRow): OfferedJob => ({
  kind: row.kind,
  title: row.title,
  category: row.category as CategoryId,
  payMinor: row.pay_minor,
  payUnit: row.pay_unit,
  payAnHourMinor: row.pay_unit === 'hour' ? row.pay_minor : row.pay_hour_minor,
  currency: row.currency as Currency,
  merchantFeeBasisPoints: row.merchant_fee_basis_points,
  workerFeeBasisPoints: row.worker_fee_basis_points,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  breakMinutes: row.break_minutes,
  breakPaid: row.break_paid,
  dueOn: row.due_on,
  timeZone: row.time_zone,
  address: row.address,
  area: row.area,
  lat: row.lat,
  lng: row.lng,
});

/** Until when work of this job can be agreed to: the start of a shift, the end of a task's last day; null for a task without one. */
export const workBy = (job: Pick<JobRow, 'starts_at' | 'due_on' | 'time_zone'>): Date | null =>
  job.starts_at ?? (job.due_on === null ? null : new Date(dayEndsAt(job.time_zone, job.due_on)));

/**
 * The terms of an offer of this job as it is now.
 * @param payMinor more than the job pays, in its unit (an hour, the whole of a task); absent: what it pays
 * @throws offer/terms-missing (data: missing), offer/pay-below-job (data: payMinor), offer/starts-in-past, request/invalid where the whole is beyond
 * any amount
 */
export function demandTerms(scope: Pick<Scope, 'clock'>, row: JobRow, payMinor?: number): Terms {
  const job = offeredJob(row);
  const missing = missingTerms(job, payMinor);
  const base = basePay(job);
  const pay = payMinor ?? base;
  if (missing.length > 0 || pay === null) throw new AppError('offer/terms-missing', { missing });
  if (base !== null && pay < base) throw new AppError('offer/pay-below-job', { payMinor: base });
  const until = workBy(row);
  if (until !== null && until <= scope.clock.now()) throw new AppError('offer/starts-in-past');
  const terms = termsOf(job, pay);
  if (!fitsMoney(terms))
    throw new AppError('request/invalid', {
      issues: [{ path: 'payMinor', message: 'a pay whose whole is a possible amount' }],
    });
  return terms;
}

/** The same for an offer that nobody asked for: null where none can be made, which is no error of whoever set it off. */
export function possibleTerms(scope: Pick<Scope, 'clock'>, row: JobRow): Terms | null {
  try {
    return demandTerms(scope, row);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The end of an offer of this job made now. */
export const offerEndNow = (scope: Pick<Scope, 'clock' | 'config'>, row: JobRow): Date =>
  offerEnd(scope.clock.now(), scope.config.OFFER_HOURS, workBy(row));

/**
 * Writes an offer, takes its seat and sets its money aside. From the balance, or with the money of a funded seat, it is `sent` with its timers; from a card it is
 * `funding` until the charge succeeds (product.md: an offer goes out only once its hold is funded). The job must be locked; the caller moves the application of one
 * that is sent.
 * @param wishes.actor an account of the business, or null for the platform (waitlist, instant hire)
 * @throws offer/no-seat, payment/balance-short (data: missingMinor, currency), payment/card-not-found
 */
export async function putOffer(
  tx: Tx,
  scope: MoneyScope,
  wishes: {
    job: JobRow;
    applicationId: string;
    workerId: string;
    terms: Terms;
    source: (typeof offerSources)[number];
    message: string;
    actor: string | null;
    /** `seat`: the money that was set aside at publishing. */
    funding: ChosenFunding | { from: 'seat' };
  },
): Promise<OfferRow> {
  const { job, terms, source, funding } = wishes;
  await offerSeat(tx, job.id);
  // On other terms than those of the seat: its money is not needed any more.
  if (job.instant_hire && funding.from !== 'seat') await fundSeats(tx, scope, job.id, { all: false });
  const now = scope.clock.now();
  const offerId = newId(now);
  const sent = funding.from !== 'card';
  const status = sent ? ('sent' as const) : ('funding' as const);
  const unwritten: OfferRow = {
    id: offerId,
    version: 1,
    application_id: wishes.applicationId,
    job_id: job.id,
    business_id: job.business_id,
    worker_id: wishes.workerId,
    status,
    source,
    terms,
    funding: sent ? 'funded' : 'not_funded',
    message: wishes.message,
    sent_at: sent ? now : null,
    expires_at: offerEndNow(scope, job),
    decided_at: null,
    reason: null,
    created_at: now,
    updated_at: now,
  };
  const row = { ...unwritten, terms: await insertOffer(tx, unwritten) };
  await insertOfferMove(tx, {
    id: newId(now),
    offer_id: offerId,
    actor: wishes.actor ?? 'timer',
    side: wishes.actor === null ? 'timer' : 'business',
    action: sent ? 'send' : 'make',
    from_status: null,
    to_status: status,
    reason: null,
    at: now,
  });
  await setAside(tx, scope, row, funding);
  // An instant hire is accepted in the same transaction.
  if (sent && source !== 'instant') await setOfferTimers(tx, now, row);
  return row;
}

async function setAside(
  tx: Tx,
  scope: MoneyScope,
  { id: offerId, job_id: jobId, business_id: businessId, terms, application_id: applicationId }: OfferRow,
  funding: ChosenFunding | { from: 'seat' },
): Promise<void> {
  if (funding.from === 'seat') {
    if (!(await takeSeat(tx, { jobId, offerId, terms }))) throw new AppError('offer/no-seat');
    return;
  }
  const [hold] = await createHolds(tx, scope, { businessId, jobId, offerId, terms });
  if (!hold) throw new Error(`offer ${offerId} has no hold`);
  if (funding.from === 'balance') await holdFromBalance(tx, scope, [hold]);
  else
    await holdFromCard(tx, scope, hold, {
      cardId: funding.cardId,
      description: `Pay set aside: ${terms.title}`,
      returnPath: applicantsPath(jobId, applicationId),
    });
}

/** The timers of an offer that went out just now. */
export async function setOfferTimers(
  tx: Tx,
  now: Date,
  row: Pick<OfferRow, 'id' | 'expires_at'>,
): Promise<void> {
  const { id: offerId, expires_at: expiresAt } = row;
  await enqueue(tx, expiry, { offerId }, { runAt: expiresAt, key: expiryKey(offerId) });
  const remindAt = reminderAt(now, expiresAt);
  if (remindAt) await enqueue(tx, reminder, { offerId }, { runAt: remindAt, key: reminderKey(offerId) });
}

/**
 * Makes the funded seats of a job of instant hire as many as are free, on its terms of now; those of any other job, or of one that is not open, go back to the
 * balance (ADR 0075). The job must be locked.
 * @param all every free seat or none: whoever publishes, reopens or edits is refused; a seat that freed by itself is funded if it can be
 * @throws payment/balance-short (data: missingMinor, currency) where `all` are wanted
 */
export async function fundSeats(
  tx: Tx,
  scope: MoneyScope,
  jobId: string,
  { all }: { all: boolean },
): Promise<{ missing: number }> {
  const job = await findSeats(tx, jobId);
  const hires = job.instant_hire && job.status === 'open';
  return setSeats(tx, scope, {
    jobId,
    businessId: job.business_id,
    wanted: hires ? freeSeatsOf(job) : 0,
    terms: hires ? possibleTerms(scope, job) : null,
    all,
  });
}
