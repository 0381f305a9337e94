import { type MoneyScope, passToEngagement } from '../../money/holds/holds.ts';
import type { Tx } from '../../platform/db.ts';
import { say } from '../../talk/messages/system-messages.ts';
import { bookEngagement } from '../../work/engagements/booking.ts';
import { makeApplicationMove } from '../applications/application-transitions.ts';
import { fillSoon } from '../applications/end-applications.ts';
import { hireSeat } from '../seats/seats.ts';
import { applicationIdOf, type OfferRow } from './fees.ts';
import { moveOffer } from './offer-transitions.ts';

/**
 * Hires in the caller's transaction (product.md: hire is one tx): accepts the offer, marks the application hired, takes the seat, books
 * the work and moves the hold to it. The job and the offer must be locked. The last seat fills the job; the `fill` task notifies the other
 * applicants.
 * @returns the engagement's id
 * @throws offer/wrong-state, application/wrong-state, engagement/overlap (data: the worker's own work at that time)
 */
export async function hire(tx: Tx, scope: MoneyScope, offer: OfferRow): Promise<string> {
  const { workerId, jobId } = offer;
  const applicationId = applicationIdOf(offer);
  await makeApplicationMove(tx, scope, { applicationId, action: 'hire', who: 'W', actor: workerId });
  await moveOffer(tx, scope, offer, 'accept', { side: 'worker', accountId: workerId });
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
  const { filled } = await hireSeat(tx, scope, jobId);
  const { startsAt, endsAt } = offer.terms;
  await say(
    tx,
    scope,
    { jobId, workerId },
    'hired',
    { ...(startsAt ? { startsAt } : {}), ...(endsAt ? { endsAt } : {}) },
    engagementId,
  );
  if (filled) await fillSoon(tx, jobId);
  return engagementId;
}
