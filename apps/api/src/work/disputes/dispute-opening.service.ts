import type { DisputeWhy } from '@nearhand/contract/work/engagements';
import { disputeHold, type MoneyScope } from '../../money/holds/holds.service.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import {
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
} from '../engagements/engagement-moves.service.ts';
import { notifyOfWork } from '../settlement/pay-notices.service.ts';
import { nextStep } from '../settlement/settlement-timer.service.ts';
import { setDisputeTimer } from './dispute-timer.service.ts';
import { dueAt, stopAt } from './disputes.rules.ts';
import { insertDispute, insertDisputeFiles, insertStep } from './disputes.sql.ts';

type Opening = {
  /** The note of the side that opened it; may be empty. */
  reason: string;
  workerAmountMinor: number | null;
  businessAmountMinor: number | null;
  fileIds?: readonly string[];
};

/** Opens a pay dispute; the engagement must be locked. @throws engagement/wrong-state, engagement/stale */
export async function openDispute(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  mover: EngagementMover,
  opening: Opening & { status: 'open' | 'answered'; why: DisputeWhy },
): Promise<void> {
  const now = scope.clock.now();
  const stop = stopAt(now, scope.config);
  const due = dueAt(opening.status, now, stop, scope.config) ?? stop;
  await makeEngagementMove(
    tx,
    scope,
    row,
    'dispute',
    mover,
    nextStep({ what: 'dispute', at: due }),
    opening.reason || null,
  );
  await disputeHold(tx, scope, row.id);
  const disputeId = newId(now);
  await insertDispute(tx, {
    id: disputeId,
    engagement_id: row.id,
    status: opening.status,
    filed_by: mover.side,
    why: opening.why,
    reason: opening.reason,
    worker_amount_minor: opening.workerAmountMinor,
    business_amount_minor: opening.businessAmountMinor,
    due_at: due,
    stop_at: stop,
    created_at: now,
    updated_at: now,
  });
  const stepId = newId(now);
  await insertStep(tx, {
    id: stepId,
    dispute_id: disputeId,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action: 'file',
    to_status: opening.status,
    amount_minor:
      mover.side === 'worker'
        ? opening.workerAmountMinor
        : mover.side === 'business'
          ? opening.businessAmountMinor
          : null,
    reason: opening.reason || null,
    at: now,
  });
  await insertDisputeFiles(tx, stepId, opening.fileIds ?? []);
  await setDisputeTimer(tx, disputeId, due);
  await notifyOfWork(tx, scope, row, {
    topic: 'dispute-opened',
    to: mover.side === 'timer' ? ['worker', 'business'] : [mover.side === 'worker' ? 'business' : 'worker'],
    event: disputeId,
    data: { by: due.toISOString(), reason: opening.reason, what: opening.why },
  });
}

/** Opens a dispute automatically: after the last counter-proposal, or where silence can't decide (ADR 43). `why` is a code that screens and mails word. */
export async function openDisputeAutomatically(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  opening: Opening & { why: Exclude<DisputeWhy, 'filed'> },
): Promise<void> {
  const bothNamed = opening.workerAmountMinor !== null && opening.businessAmountMinor !== null;
  const status = bothNamed ? 'answered' : 'open';
  await openDispute(tx, scope, row, { side: 'timer' }, { ...opening, status });
}
