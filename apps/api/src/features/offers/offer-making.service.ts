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
import { type JobRow, offerSeat } from '../jobs/seats.service.ts';
import { fundOffer } from '../payments/payments.service.ts';
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
 * Writes an offer, takes its seat, asks for its money and sends it, with its timers. The job must be locked, the application be moved by the caller.
 * @param wishes.actor an account of the business, or null for the platform (waitlist, instant hire)
 * @throws offer/no-seat
 */
export async function sendOffer(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  wishes: {
    job: JobRow;
    applicationId: string;
    workerId: string;
    terms: Terms;
    source: (typeof offerSources)[number];
    message: string;
    actor: string | null;
  },
): Promise<OfferRow> {
  const { job, terms, source } = wishes;
  await offerSeat(tx, job.id);
  const now = scope.clock.now();
  const offerId = newId(now);
  const { funding } = await fundOffer(tx, scope, {
    offerId,
    businessId: job.business_id,
    holdMinor: terms.holdMinor,
    currency: terms.currency,
  });
  const expiresAt = offerEndNow(scope, job);
  const row = {
    id: offerId,
    version: 1,
    application_id: wishes.applicationId,
    job_id: job.id,
    business_id: job.business_id,
    worker_id: wishes.workerId,
    status: 'sent' as const,
    source,
    terms,
    funding,
    message: wishes.message,
    sent_at: now,
    expires_at: expiresAt,
    decided_at: null,
    reason: null,
    created_at: now,
    updated_at: now,
  };
  await insertOffer(tx, row);
  await insertOfferMove(tx, {
    id: newId(now),
    offer_id: offerId,
    actor: wishes.actor ?? 'timer',
    side: wishes.actor === null ? 'timer' : 'business',
    action: 'send',
    from_status: null,
    to_status: 'sent',
    reason: null,
    at: now,
  });
  // An instant hire is accepted in the same transaction.
  if (source === 'instant') return row;
  await enqueue(tx, expiry, { offerId }, { runAt: expiresAt, key: expiryKey(offerId) });
  const remindAt = reminderAt(now, expiresAt);
  if (remindAt) await enqueue(tx, reminder, { offerId }, { runAt: remindAt, key: reminderKey(offerId) });
  return row;
}
