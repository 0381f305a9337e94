import type { Db, Tx } from '../../platform/db.ts';
import { rankWorker } from '../applications/ranking.service.ts';
import {
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
} from '../engagements/engagement-moves.service.ts';
import { finishHold } from '../holds/hold-endings.service.ts';
import type { MoneyScope } from '../holds/holds.service.ts';
import { agreedPayOf, requestRelease } from '../holds/releases.service.ts';
import { nextStep } from './settlement-timer.service.ts';
import { tellOfWork } from './timesheet-notices.service.ts';

/** What was already agreed to be paid for the work itself, paid or owed, in minor units. */
export async function releasedOf(tx: Db, engagementId: string): Promise<number> {
  return agreedPayOf(tx, engagementId);
}

/**
 * The one way in which pay is agreed: the engagement is approved with this amount, what of it was not paid yet is released, it is complete, and the rest of its hold goes back, all in the
 * transaction of whoever approves, accepts or settles. The row must be locked. Nothing is ever paid twice: the releases of an engagement sum up to the amount.
 * @param amountMinor the whole pay agreed, in minor units of the terms; never below what was released
 * @throws engagement/wrong-state, engagement/stale
 */
export async function settlePay(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  by: {
    action: 'approve' | 'accept-counter' | 'counter-stands' | 'settle' | 'overturn';
    mover: EngagementMover;
    amountMinor: number;
    /** What an operator wrote to it. */
    reason?: string;
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
  await requestRelease(tx, scope, {
    engagementId: row.id,
    kind: 'rest',
    amountMinor: by.amountMinor - released,
    currency: row.terms.currency,
  });
  await makeEngagementMove(
    tx,
    scope,
    { ...row, status: 'approved', version: row.version + 1, amount_minor: by.amountMinor },
    'complete',
    { side: 'timer' },
  );
  await finishHold(tx, scope, row.id);
  await rankWorker(tx, row.worker_id);
  // Whoever settles or decides tells both sides in words of their own.
  if (by.action === 'settle' || by.action === 'overturn') return;
  await tellOfWork(tx, scope, row, {
    topic: 'work-approved',
    // Who agreed knows it; when the clock did, both are told.
    to:
      by.mover.side === 'timer'
        ? ['worker', 'business']
        : [by.mover.side === 'worker' ? 'business' : 'worker'],
    event: row.id,
    data: {
      amountMinor: by.amountMinor,
      what: by.mover.side === 'timer' ? (by.action === 'approve' ? 'by-itself' : 'counter-stood') : by.action,
    },
  });
}
