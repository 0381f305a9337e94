import type { Tx } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { makeApplicationMove } from '../applications/application-moves.service.ts';
import { lockJob } from '../jobs/job-states.service.ts';
import { hiringOutcomes } from '../outcomes.ts';
import { moveOffer } from './offer-moves.service.ts';
import { notifyOfOffer } from './offer-notices.service.ts';
import { expiry, expiryKey } from './offers.clock.ts';
import { applicationIdOf, findOfferPlace, lockOffer, type OfferRow } from './offers.sql.ts';

/** For the runner: expires an unanswered offer (product.md: 48 h), notifies both sides and offers its spot to the waitlist. */
export async function expireOffer(scope: TaskScope, offerId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockLive(tx, offerId);
    if (!row) return;
    // The clock was ahead and has been corrected: not yet. A minute late, so that a queue whose clock is ahead of ours does not retry at
    // once.
    if (row.expires_at > scope.clock.now()) {
      const runAt = new Date(row.expires_at.getTime() + 60_000);
      await enqueue(tx, expiry, { offerId }, { runAt, key: expiryKey(offerId) });
      return;
    }
    const applicationId = applicationIdOf(row);
    await makeApplicationMove(tx, scope, { applicationId, action: 'expire-offer', who: 'T', actor: 'timer' });
    await moveOffer(tx, scope, row, 'expire', { side: 'timer' });
    await notifyOfOffer(tx, scope, row, { topic: 'offer-expired', to: ['worker', 'business'] });
    await hiringOutcomes.on.seatFreed(tx, scope, row.job_id);
  });
}

/** For the runner: reminds the worker of a pending offer; sent once however often it runs. */
export async function remindOfOffer(scope: TaskScope, offerId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockLive(tx, offerId);
    if (!row || row.expires_at <= scope.clock.now()) return;
    await notifyOfOffer(tx, scope, row, { topic: 'offer-reminder', to: ['worker'] });
  });
}

/** The offer, locked after its job, while it awaits an answer; an unpaid one has its checkout's clock. */
async function lockLive(tx: Tx, offerId: string): Promise<OfferRow | null> {
  const place = await findOfferPlace(tx, offerId, null);
  if (!place) return null;
  await lockJob(tx, place.job_id);
  const row = await lockOffer(tx, offerId);
  return row?.status === 'sent' ? row : null;
}
