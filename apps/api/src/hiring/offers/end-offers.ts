import type { MoneyScope } from '../../money/hooks.ts';
import type { Tx } from '../../platform/db.ts';
import { hiringHooks } from '../hooks.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import { moveOffer } from './offer-transitions.ts';
import { findLiveOffers, lockOffer } from './offers.sql.ts';

/** Ends live offers of ended applications, frees spots and refunds holds. Call `lockJob` first (ADR 38). */
export async function endOffersOf(
  tx: Tx,
  scope: MoneyScope,
  applicationIds: readonly string[],
  ending: { by: string; to: 'declined' | 'withdrawn'; reason: string | null },
): Promise<void> {
  const offers = await findLiveOffers(tx, applicationIds);
  for (const { id, jobId } of offers) {
    await lockJob(tx, jobId);
    const row = await lockOffer(tx, id);
    if (!row || (row.status !== 'sent' && row.status !== 'funding')) continue;
    const isDeclined = ending.to === 'declined' && row.status === 'sent';
    const side = isDeclined ? 'worker' : 'business';
    const mover = { side, accountId: ending.by } as const;
    await moveOffer(tx, scope, row, {
      action: isDeclined ? 'decline' : 'withdraw',
      mover,
      reason: ending.reason,
    });
  }
  for (const jobId of new Set(offers.map((offer) => offer.jobId)))
    await hiringHooks.on.spotFreed(tx, scope, jobId);
}
