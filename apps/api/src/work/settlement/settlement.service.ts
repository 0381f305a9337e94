import type { SilentMinor } from '@nearhand/contract/work/pay.rules';
import { finishHold } from '../../money/holds/hold-endings.service.ts';
import type { MoneyScope } from '../../money/holds/holds.service.ts';
import { agreedPayOf, requestRelease } from '../../money/holds/releases.service.ts';
import type { Db, Tx } from '../../platform/db.ts';
import {
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
  partiesOf,
} from '../engagements/engagement-moves.service.ts';
import { payeeOf } from '../engagements/engagement-pay.service.ts';
import { workOutcomes } from '../outcomes.ts';
import { notifyOfWork } from './pay-notices.service.ts';
import { nextStep } from './settlement-timer.service.ts';

/** Pay already agreed for the work, paid or owed, in minor units. */
export async function releasedOf(tx: Db, engagementId: string): Promise<number> {
  return agreedPayOf(tx, engagementId);
}

/** Who settles the pay with how much. A timer takes only an amount that the business agreed to (ADR 43). */
export type PayDecision =
  | { mover: Exclude<EngagementMover, { side: 'timer' }>; amountMinor: number }
  | { mover: { side: 'timer' }; amountMinor: SilentMinor };

/**
 * The only place where pay is agreed: approves the engagement with an amount, releases what is unpaid, completes it and returns the rest of its hold, in the
 * caller's transaction. The row must be locked. Releases always add up to the amount, so nothing is paid twice.
 * @param by.amountMinor the total pay agreed, in minor units of the terms; never below what was released
 * @throws engagement/wrong-state, engagement/stale
 */
export async function settlePay(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  by: PayDecision & {
    action: 'approve' | 'accept-counter' | 'pay-recorded' | 'settle' | 'overturn';
    /** The operator's note. */
    reason?: string | undefined;
  },
): Promise<void> {
  const released = await releasedOf(tx, row.id);
  if (by.amountMinor < released)
    throw new Error(
      `engagement ${row.id}: ${by.amountMinor} agreed, but ${released} already asked to be paid`,
    );
  const now = scope.clock.now();
  const changes = { amount_minor: by.amountMinor, approved_at: now, ...nextStep(null) };
  const moved = await makeEngagementMove(tx, scope, row, by.action, by.mover, changes, by.reason);
  if (!moved) return;
  await requestRelease(tx, scope, payeeOf(row), {
    kind: 'rest',
    amountMinor: by.amountMinor - released,
  });
  await makeEngagementMove(
    tx,
    scope,
    { ...row, status: 'approved', version: row.version + 1, amount_minor: by.amountMinor },
    'complete',
    { side: 'timer' },
  );
  await finishHold(tx, scope, row.id);
  await workOutcomes.on.workEnded(tx, scope, partiesOf(row));
  await workOutcomes.on.reliabilityChanged(tx, { workerId: row.worker_id });
  // Settlements and decisions send their own notifications.
  if (by.action === 'settle' || by.action === 'overturn') return;
  await notifyOfWork(tx, scope, row, {
    topic: 'work-approved',
    // Notify the other side, or both after an automatic approval.
    to:
      by.mover.side === 'timer'
        ? ['worker', 'business']
        : [by.mover.side === 'worker' ? 'business' : 'worker'],
    event: row.id,
    data: {
      amountMinor: by.amountMinor,
      what: by.mover.side === 'timer' && by.action === 'approve' ? 'auto-approved' : by.action,
    },
  });
}
