import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeApplicationMove } from '../applications/application-moves.service.ts';
import { nextWaiting } from '../applications/waitlist.service.ts';
import { freeSeatsOf, lockSeats } from '../jobs/seats.service.ts';
import { possibleTerms, sendOffer } from './offer-making.service.ts';
import { tellOfOffer } from './offer-notices.service.ts';

/**
 * For the slices that free a seat, in their transaction, after the seat is counted free: offers it to the waitlist in order, one offer for each free seat
 * (product.md, Application). So whoever waits comes before whoever looks. Nothing happens where nobody waits, the work has started, or the job is
 * hidden or over.
 */
export async function seatFreed(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<void> {
  const job = await lockSeats(tx, jobId);
  if (job.status !== 'open' && job.status !== 'filled') return;
  for (let free = freeSeatsOf(job); free > 0; free -= 1) {
    const terms = possibleTerms(scope, job);
    const waiting = terms && (await nextWaiting(tx, jobId));
    if (!terms || !waiting) return;
    const { applicationId, workerId } = waiting;
    await makeApplicationMove(tx, scope, {
      applicationId,
      action: 'waitlist-offer',
      who: 'T',
      actor: 'timer',
    });
    const offer = await sendOffer(tx, scope, {
      ...{ job, applicationId, workerId, terms },
      source: 'waitlist',
      message: '',
      actor: null,
    });
    await tellOfOffer(tx, scope, offer, { topic: 'offer-received', to: ['worker'] });
  }
}
