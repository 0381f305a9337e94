import { waitlist } from '@nearhand/contract/hiring/waitlist';
import type { Terms } from '@nearhand/contract/work/terms';
import { attempt, type MoneyScope } from '../../money/holds/holds.ts';
import { hasFundedSeat } from '../../money/holds/seat-holds.ts';
import { chooseFunding } from '../../money/wallet/wallet.ts';
import { isHiring } from '../../people/businesses/hiring.ts';
import type { Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import { makeApplicationMove } from '../applications/application-transitions.ts';
import { lockJob } from '../jobs/job-states.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { putOffer } from '../offers/offer-making.ts';
import { notifyOfOffer, notifyOfUnfundedSeats } from '../offers/offer-notices.ts';
import { fundSeats } from '../seats/seat-funding.ts';
import { possibleTerms } from '../seats/seat-terms.ts';
import { freeSeatsOf } from '../seats/seats.ts';
import { findNextWaiting, joinWaitlist, leaveWaitlist } from './waitlist-places.ts';

/** Offers a counted free seat to the waitlist in order, in the caller's transaction (product.md, Application). */
export async function seatFreed(tx: Tx, scope: MoneyScope, jobId: string): Promise<void> {
  const job = await lockJob(tx, jobId);
  if (!(await isHiring(tx, job.businessId, scope.clock.now()))) return;
  if (job.status === 'open' || job.status === 'filled') await offerToWaiting(tx, scope, job);
  if (!job.instantHire) return;
  const { missing } = await fundSeats(tx, scope, jobId, { all: false });
  if (missing > 0) await notifyOfUnfundedSeats(tx, scope, job, { missing, terms: possibleTerms(scope, job) });
}

async function offerToWaiting(tx: Tx, scope: MoneyScope, job: JobRow): Promise<void> {
  for (let free = freeSeatsOf(job); free > 0; free -= 1) {
    const terms = possibleTerms(scope, job);
    const waiting = terms && (await nextWaiting(tx, scope, job.id));
    if (!terms || !waiting) return;
    const offered = await attempt(tx, () => offerTo(tx, scope, job, { ...waiting, terms }));
    if (offered !== null) continue;
    const { applicationId } = waiting;
    const about = { id: applicationId, applicationId, jobId: job.id };
    await notifyOfOffer(
      tx,
      scope,
      { ...about, source: 'waitlist', workerId: waiting.workerId, terms, expiresAt: scope.clock.now() },
      { topic: 'hold-unpaid', to: ['business'], amountMinor: terms.holdMinor },
    );
    return;
  }
}

async function offerTo(
  tx: Tx,
  scope: MoneyScope,
  job: JobRow,
  { applicationId, workerId, terms }: { applicationId: string; workerId: string; terms: Terms },
): Promise<void> {
  const { businessId } = job;
  const funding = (await hasFundedSeat(tx, job.id, terms))
    ? ({ from: 'seat' } as const)
    : await chooseFunding(tx, { businessId, amountMinor: terms.holdMinor, currency: terms.currency });
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

/** Locks the first on the waitlist; skips rows locked elsewhere. `waitlist-offer` removes them from it. */
export async function nextWaiting(
  tx: Tx,
  { clock }: Pick<MoneyScope, 'clock'>,
  jobId: string,
): Promise<{ applicationId: string; workerId: string } | undefined> {
  const row = await findNextWaiting(tx, jobId, clock.now());
  return row && { applicationId: row.id, workerId: row.workerId };
}

export const waitlistRoutes = {
  join: write(waitlist.join, joinWaitlist),
  leave: write(waitlist.leave, leaveWaitlist),
};
