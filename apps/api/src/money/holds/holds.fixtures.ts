import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { moneyHooks } from '../hooks.ts';
import { holdFromBalance } from './checkouts.ts';
import { createHolds } from './hold-transitions.ts';
import { lockHold, updateHold } from './holds.sql.ts';

/** Replaces a finished hold with a new one, for tests that reset an engagement. */
export async function refillHold(db: Db, scope: Scope, engagementId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockHold(tx, { engagementId });
    if (!row || (row.status === 'held' && !row.frozen)) return;
    const { offerId } = row;
    await updateHold(tx, row, { engagementId: null, offerId: null });
    const [fresh] = await createHolds(tx, scope, {
      businessId: row.businessId,
      jobId: row.jobId,
      offerId,
      terms: {
        currency: row.currency,
        payTotalMinor: row.payMinor,
        holdMinor: row.payMinor + row.feeMinor,
        businessFeeBasisPoints: row.businessFeeBasisPoints,
        workerFeeBasisPoints: row.workerFeeBasisPoints,
        startsAt: null,
        dueOn: row.workOn,
        timeZone: 'UTC',
      },
    });
    const [held] = fresh ? await holdFromBalance(tx, scope, [fresh]) : [];
    if (held) await updateHold(tx, held, { engagementId });
    if (held) await moneyHooks.on.fundingChanged(tx, { offerId, engagementId }, 'funded');
  });
}
