import { endCheckoutsSoon, type MoneyScope } from '../../money/holds/holds.service.ts';
import type { Tx } from '../../platform/db.ts';
import { lockJob } from '../jobs/job-states.service.ts';
import { seatFreed } from '../waitlist/waitlist-offers.service.ts';
import { moveOffer } from './offer-moves.service.ts';
import { findLiveOffers, lockOffer } from './offers.sql.ts';

/**
 * For the applications slice, in the transaction that ends applications: ends their live offers (`declined` when the worker withdrew, else `withdrawn`), frees
 * the offered seats, gives back what was set aside and offers the seats to the waitlist. The applications are not touched, and nobody is told: who ends an
 * application tells of that. Call `lockJob` of the job before locking the applications (ADR 0038).
 * @param ending.by an account id or `timer`
 */
export async function endOffersOf(
  tx: Tx,
  scope: MoneyScope,
  applicationIds: readonly string[],
  ending: { by: string; to: 'declined' | 'withdrawn'; reason: string | null },
): Promise<void> {
  const offers = await findLiveOffers(tx, applicationIds);
  for (const { id, job_id: jobId } of offers) {
    await lockJob(tx, jobId);
    const row = await lockOffer(tx, id);
    if (!row || (row.status !== 'sent' && row.status !== 'funding')) continue;
    // An offer that was not sent yet is nothing that its worker could have declined.
    const declined = ending.to === 'declined' && row.status === 'sent';
    const side = declined ? 'worker' : 'business';
    const mover = { side, accountId: ending.by } as const;
    await moveOffer(tx, scope, row, declined ? 'decline' : 'withdraw', mover, ending.reason);
  }
  for (const jobId of new Set(offers.map((offer) => offer.job_id))) await seatFreed(tx, scope, jobId);
}

/** For the applications slice, when it turns applicants down: offers to them that still wait for their money end soon after, by their own task. */
export const endUnpaidSoon = (tx: Tx, applicationIds: readonly string[]): Promise<void> =>
  endCheckoutsSoon(tx, applicationIds);
