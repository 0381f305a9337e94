import type { Terms } from '@nearhand/contract/work/terms';
import { attempt, type MoneyScope } from '../../money/holds/holds.service.ts';
import { hasFundedSeat } from '../../money/holds/seat-holds.service.ts';
import { chooseFunding } from '../../money/wallet/wallet.service.ts';
import type { Tx } from '../../platform/db.ts';
import { makeApplicationMove } from '../applications/application-moves.service.ts';
import { type JobRow, lockJob } from '../jobs/job-states.service.ts';
import { putOffer } from '../offers/offer-making.service.ts';
import { notifyOfOffer, notifyOfUnfundedSeats } from '../offers/offer-notices.service.ts';
import { fundSeats } from '../seats/seat-funding.service.ts';
import { possibleTerms } from '../seats/seat-terms.service.ts';
import { freeSeatsOf } from '../seats/seats.service.ts';
import { nextWaiting } from './waitlist.service.ts';

/**
 * For slices that free a seat, in their transaction, after it is counted free: offers it to the waitlist in order, one offer per free seat
 * (product.md, Application), before anyone else can apply. It is funded from the balance, otherwise the default card; without either
 * nothing is offered and the recruiters are notified once. Remaining instant-hire seats are funded again from the balance, or the business
 * is notified. A no-op where nobody is waiting, the work has started, or the job is hidden or ended.
 */
export async function seatFreed(tx: Tx, scope: MoneyScope, jobId: string): Promise<void> {
  const job = await lockJob(tx, jobId);
  if (job.status === 'open' || job.status === 'filled') await offerToWaiting(tx, scope, job);
  if (!job.instant_hire) return;
  const { missing } = await fundSeats(tx, scope, jobId, { all: false });
  if (missing > 0) await notifyOfUnfundedSeats(tx, scope, job, { missing, terms: possibleTerms(scope, job) });
}

async function offerToWaiting(tx: Tx, scope: MoneyScope, job: JobRow): Promise<void> {
  for (let free = freeSeatsOf(job); free > 0; free -= 1) {
    const terms = possibleTerms(scope, job);
    const waiting = terms && (await nextWaiting(tx, job.id));
    if (!terms || !waiting) return;
    const offered = await attempt(tx, () => offerTo(tx, scope, job, { ...waiting, terms }));
    if (offered !== null) continue;
    const { applicationId } = waiting;
    const about = { id: applicationId, application_id: applicationId, job_id: job.id };
    await notifyOfOffer(
      tx,
      scope,
      { ...about, source: 'waitlist', worker_id: waiting.workerId, terms, expires_at: scope.clock.now() },
      { topic: 'hold-unpaid', to: ['business'], amountMinor: terms.holdMinor },
    );
    return;
  }
}

/** @throws payment/… where it can't be funded */
async function offerTo(
  tx: Tx,
  scope: MoneyScope,
  job: JobRow,
  { applicationId, workerId, terms }: { applicationId: string; workerId: string; terms: Terms },
): Promise<void> {
  const { business_id: businessId } = job;
  const funding = (await hasFundedSeat(tx, job.id, terms))
    ? ({ from: 'seat' } as const)
    : await chooseFunding(tx, { businessId, amountMinor: terms.holdMinor, currency: terms.currency });
  // A card is charged first, and the applicant is notified only once it has paid.
  if (funding.from !== 'card') {
    const move = { applicationId, action: 'waitlist-offer', who: 'T', actor: 'timer' } as const;
    await makeApplicationMove(tx, scope, move);
  }
  const offer = await putOffer(tx, scope, {
    job,
    applicationId,
    workerId,
    terms,
    funding,
    source: 'waitlist',
    message: '',
    actor: null,
  });
  if (offer.status === 'sent')
    await notifyOfOffer(tx, scope, offer, { topic: 'offer-received', to: ['worker'] });
}
