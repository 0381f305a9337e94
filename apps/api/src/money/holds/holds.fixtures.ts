import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { moneyHooks } from '../hooks.ts';
import { lockHold, updateHold } from './holds.sql.ts';
import { createHolds, holdFromBalance } from './holds.ts';

/** For tests that reset an engagement by hand: a released or returned hold is replaced by a new one from the balance. The ledger can't be reset. */
export async function refillHold(db: Db, scope: Scope, engagementId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockHold(tx, { engagementId });
    if (!row || (row.status === 'held' && !row.frozen)) return;
    const { offer_id: offerId } = row;
    await updateHold(tx, row, { engagement_id: null, offer_id: null });
    const [fresh] = await createHolds(tx, scope, {
      businessId: row.business_id,
      jobId: row.job_id,
      offerId,
      terms: {
        currency: row.currency,
        payTotalMinor: row.pay_minor,
        holdMinor: row.pay_minor + row.fee_minor,
        merchantFeeBasisPoints: row.merchant_fee_basis_points,
        workerFeeBasisPoints: row.worker_fee_basis_points,
      },
    });
    const [held] = fresh ? await holdFromBalance(tx, scope, [fresh]) : [];
    if (held) await updateHold(tx, held, { engagement_id: engagementId });
    if (held) await moneyHooks.on.fundingChanged(tx, { offerId, engagementId }, 'funded');
  });
}
