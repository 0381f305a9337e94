import { applicantsPath } from '@nearhand/contract/app-paths';
import type { offerSources } from '@nearhand/contract/hiring/offers';
import type { Terms } from '@nearhand/contract/work/terms';
import {
  type ChosenFunding,
  createHolds,
  holdFromBalance,
  holdFromCard,
  type MoneyScope,
} from '../../money/holds/holds.service.ts';
import { takeSeat } from '../../money/holds/seat-holds.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import type { JobRow } from '../jobs/job-states.service.ts';
import { fundSeats } from '../seats/seat-funding.service.ts';
import { workBy } from '../seats/seat-terms.service.ts';
import { offerSeat } from '../seats/seats.service.ts';
import { offerEnd, reminderAt } from './offer-times.rules.ts';
import { expiry, expiryKey, reminder, reminderKey } from './offers.clock.ts';
import { insertOffer, insertOfferMove, type OfferRow } from './offers.sql.ts';

/** When an offer of this job made now would end. */
export const offerEndNow = (scope: Pick<Scope, 'clock' | 'config'>, row: JobRow): Date =>
  offerEnd(scope.clock.now(), scope.config.OFFER_HOURS, workBy(row));

/**
 * Creates an offer, takes its seat and funds it. From the balance or a funded seat it is `sent`, with its timers; from a card it is
 * `funding` until the charge succeeds (product.md: an offer is sent only once its hold is funded). The job must be locked; the caller
 * moves the application of a sent one.
 * @param options.actor an account of the business, or null for the platform (waitlist, instant hire)
 * @throws offer/no-seat, payment/balance-short (data: missingMinor, currency), payment/card-not-found
 */
export async function putOffer(
  tx: Tx,
  scope: MoneyScope,
  options: {
    job: JobRow;
    applicationId: string;
    workerId: string;
    terms: Terms;
    source: (typeof offerSources)[number];
    message: string;
    actor: string | null;
    /** `seat`: the money reserved at publishing. */
    funding: ChosenFunding | { from: 'seat' };
  },
): Promise<OfferRow> {
  const { job, terms, source, funding } = options;
  await offerSeat(tx, job.id);
  // The terms differ from the seat's: its money is no longer needed.
  if (job.instant_hire && funding.from !== 'seat') await fundSeats(tx, scope, job.id, { all: false });
  const now = scope.clock.now();
  const offerId = newId(now);
  const sent = funding.from !== 'card';
  const status = sent ? ('sent' as const) : ('funding' as const);
  const unwritten: OfferRow = {
    id: offerId,
    version: 1,
    application_id: options.applicationId,
    job_id: job.id,
    business_id: job.business_id,
    worker_id: options.workerId,
    status,
    source,
    terms,
    funding: sent ? 'funded' : 'not_funded',
    message: options.message,
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
    actor: options.actor ?? 'timer',
    side: options.actor === null ? 'timer' : 'business',
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
      description: `Pay reserved: ${terms.title}`,
      returnPath: applicantsPath(jobId, applicationId),
    });
}

/** The timers of a newly sent offer. */
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
