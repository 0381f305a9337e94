import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Side } from '@nearhand/contract/sides';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import type { SilentMinor } from '@nearhand/contract/work/pay.rules';
import { z } from 'zod';
import { finishHold } from '../../money/holds/end-holds.ts';
import { agreedPayOf, requestRelease } from '../../money/holds/releases.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import {
  type EngagementMover,
  type EngagementRow,
  engagementParties,
  makeEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import { notifyOfEngagement, payeeOf } from '../engagements/engagements.ts';
import { workHooks } from '../hooks.ts';

/** A timer settles only an amount that the business agreed to (ADR 43). */
export type PayDecision =
  | { mover: Exclude<EngagementMover, { side: 'timer' }>; amountMinor: number }
  | { mover: { side: 'timer' }; amountMinor: SilentMinor };

/**
 * Agrees pay, the only place that does: approves, releases the unpaid part, completes and returns the
 * rest of the hold. The row must be locked. Releases add up to the amount, so nothing is paid twice.
 * @param decision.amountMinor the total pay, in minor units of the terms; never below the released part
 * @throws engagement/wrong-state, engagement/stale
 */
export async function settlePay(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  decision: PayDecision & {
    action: Approval | 'settle' | 'overturn';
    reason?: string;
  },
): Promise<void> {
  const released = await agreedPayOf(tx, row.id);
  if (decision.amountMinor < released)
    throw new Error(
      `engagement ${row.id}: ${decision.amountMinor} agreed, but ${released} already asked to be paid`,
    );
  const now = scope.clock.now();
  const changes = { amountMinor: decision.amountMinor, approvedAt: now, ...nextStep(null) };
  const approved = await makeEngagementMove(tx, scope, row, {
    action: decision.action,
    mover: decision.mover,
    changes,
    reason: decision.reason,
  });
  if (!approved) return;
  await requestRelease(tx, scope, payeeOf(row), {
    kind: 'rest',
    amountMinor: decision.amountMinor - released,
  });
  await makeEngagementMove(tx, scope, approved, { action: 'complete', mover: { side: 'timer' } });
  await finishHold(tx, scope, row.id);
  await workHooks.on.workEnded(tx, scope, engagementParties(row));
  await workHooks.on.reliabilityChanged(tx, row.workerId);
  // Settlements and decisions send their own notifications.
  if (decision.action === 'settle' || decision.action === 'overturn') return;
  await notifyOfWork(tx, scope, row, {
    topic: 'work-approved',
    // Both sides are notified after an automatic approval; the business gets one digest a day of those by its rule.
    to:
      decision.mover.side === 'timer' && decision.action !== 'approve-planned'
        ? ['worker', 'business']
        : [decision.mover.side === 'worker' ? 'business' : 'worker'],
    event: row.id,
    data: {
      amountMinor: decision.amountMinor,
      variant: approvalVariant(decision.action, decision.mover),
    },
  });
}

type Approval = 'approve' | 'approve-planned' | 'accept-counter' | 'pay-recorded';

function approvalVariant(
  action: Approval,
  mover: EngagementMover,
): Exclude<Approval, 'approve-planned'> | 'auto-approved' {
  if (action === 'approve-planned') return 'approve';
  return mover.side === 'timer' && action === 'approve' ? 'auto-approved' : action;
}

/**
 * Notifies the worker and the members who settle pay. `event` is the deduplication key; amounts in `data` are minor
 * units of the terms' currency.
 */
export async function notifyOfWork<Topic extends NotificationTopic>(
  tx: Tx,
  scope: ClockScope,
  row: Pick<EngagementRow, 'id' | 'terms'>,
  notice: {
    topic: Topic;
    to: readonly Side[];
    event: string;
    data?: TopicData<Topic>;
  },
): Promise<void> {
  await notifyOfEngagement(tx, scope, row.id, {
    worker: notice.to.includes('worker') ? notice.topic : undefined,
    recruiters: notice.to.includes('business') ? notice.topic : undefined,
    needs: 'settle',
    data: { currency: row.terms.currency, ...notice.data },
    event: notice.event,
  });
}

export const settlementClock = {
  name: 'settlement.clock',
  payload: z.object({ engagementId: z.uuid() }),
};

/** A day before a deadline. */
export const remindAt = (at: Date): Date => subtractMs(at, dayMs);

/** Sets the timer that settles without a reply, and its reminder a day before. The task rechecks the record. */
export async function setSettlementTimer(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(
    tx,
    settlementClock,
    { engagementId },
    { runAt: at, key: `${settlementClock.name}/${engagementId}` },
  );
}
