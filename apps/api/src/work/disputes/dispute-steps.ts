import { type DisputeMoveName, nextDisputeStatus } from '@nearhand/contract/work/disputes.rules';
import { silentMinor } from '@nearhand/contract/work/pay.rules';
import type { Updateable } from 'kysely';
import type { MoneyScope } from '../../money/holds/holds.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Disputes } from '../../platform/tables.gen.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import {
  type EngagementMover,
  type EngagementRow,
  engagementForTimer,
  moverOf,
  setEngagementNext,
} from '../engagements/engagement-transitions.ts';
import { agreedPay, payBoundsOf, recordedPay } from '../settlement/pay-bounds.ts';
import { notifyOfWork, type PayDecision, settlePay } from '../settlement/settlement.ts';
import {
  type DisputeRow,
  findEngagementId,
  insertDisputeFiles,
  insertStep,
  lockDispute,
  setDisputeTimer,
  updateDispute,
} from './dispute-opening.ts';
import { dueAt, stopAmount } from './disputes.rules.ts';

type DisputeStep = {
  action: DisputeMoveName;
  amountMinor: number | null;
  reason?: string | null;
  changes?: Updateable<Disputes>;
  /** Files of the person who takes the step. */
  fileIds?: readonly string[];
};

/** Writes one step and returns the updated dispute. @throws dispute/wrong-state, engagement/stale */
async function writeStep(
  tx: Tx,
  scope: MoneyScope,
  dispute: DisputeRow,
  mover: EngagementMover,
  step: DisputeStep,
): Promise<DisputeRow> {
  const status = nextDisputeStatus(dispute.status, step.action, moverOf(mover));
  if (status === null) throw new AppError('dispute/wrong-state', { status: dispute.status });
  const now = scope.clock.now();
  const due = dueAt(status, now, dispute.stopAt, scope.config);
  const changes = { ...step.changes, status, dueAt: due, updatedAt: now };
  if (!(await updateDispute(tx, dispute, changes)))
    throw new AppError('engagement/stale', { status: dispute.status });
  const stepId = newId(now);
  await insertStep(tx, {
    id: stepId,
    disputeId: dispute.id,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action: step.action,
    toStatus: status,
    amountMinor: step.amountMinor,
    reason: step.reason ?? null,
    at: now,
  });
  await insertDisputeFiles(tx, stepId, step.fileIds ?? []);
  return { ...dispute, ...(changes as Partial<DisputeRow>), version: dispute.version + 1 };
}

const topics = {
  answer: 'dispute-answered',
  propose: 'dispute-proposal',
  escalate: 'dispute-escalated',
} as const;

/** A step that doesn't end the dispute: logs it, sets the next timer and notifies the other side, or both after a timer. Both rows must be locked. */
export async function makeDisputeStep(
  tx: Tx,
  scope: MoneyScope,
  dispute: DisputeRow,
  row: EngagementRow,
  mover: EngagementMover,
  step: DisputeStep & { action: keyof typeof topics },
): Promise<DisputeRow> {
  const after = await writeStep(tx, scope, dispute, mover, step);
  const next = after.dueAt ?? after.stopAt;
  await setEngagementNext(tx, row.id, { what: 'dispute', at: next });
  await setDisputeTimer(tx, dispute.id, next);
  await notifyOfWork(tx, scope, row, {
    topic: topics[step.action],
    to: mover.side === 'timer' ? ['worker', 'business'] : [mover.side === 'worker' ? 'business' : 'worker'],
    event: `${dispute.id}/${after.version}`,
    data: {
      by: next.toISOString(),
      ...(step.amountMinor === null ? {} : { amountMinor: step.amountMinor }),
      ...(step.reason ? { reason: step.reason } : {}),
    },
  });
  return after;
}

/** Ends a dispute with a total amount in minor units, settles the pay and notifies both sides. */
export async function settleDispute(
  tx: Tx,
  scope: MoneyScope,
  dispute: DisputeRow,
  row: EngagementRow,
  end: PayDecision & { action: 'agree' | 'accept-proposal' | 'stop' | 'decide'; reason?: string },
): Promise<void> {
  await writeStep(tx, scope, dispute, end.mover, {
    action: end.action,
    amountMinor: end.amountMinor,
    reason: end.reason ?? null,
    changes: { settledMinor: end.amountMinor },
  });
  await settlePay(tx, scope, row, { ...end, action: 'settle' });
  await notifyOfWork(tx, scope, row, {
    topic: 'dispute-settled',
    to: ['worker', 'business'],
    event: dispute.id,
    data: {
      amountMinor: end.amountMinor,
      what: end.action === 'decide' ? 'decided' : end.action,
      ...(end.reason === undefined ? {} : { reason: end.reason }),
    },
  });
}

/** Escalates an unanswered dispute to an operator, and ends it by the record at the hard stop (ADR 44). Early or repeated runs are no-ops. */
export async function runDisputeClock(scope: TaskScope, disputeId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const engagementId = await findEngagementId(tx, disputeId);
    const row = engagementId === null ? undefined : await engagementForTimer(tx, engagementId);
    const dispute = await lockDispute(tx, disputeId);
    if (!row || !dispute || dispute.status === 'settled' || row.status !== 'disputed') return;
    const now = scope.clock.now();
    const timer = { side: 'timer' } as const;
    if (now >= dispute.stopAt) {
      const byRecord = stopAmount(
        {
          workerAmountMinor: dispute.workerAmountMinor,
          businessAmountMinor: dispute.businessAmountMinor,
        },
        await recordedPay(tx, row),
        await payBoundsOf(tx, row),
      );
      const amountMinor = silentMinor(byRecord, {
        ...(await agreedPay(tx, row)),
        businessMinor: dispute.businessAmountMinor,
      });
      await settleDispute(tx, scope, dispute, row, { action: 'stop', mover: timer, amountMinor });
    } else if (dispute.dueAt && now >= dispute.dueAt)
      await makeDisputeStep(tx, scope, dispute, row, timer, { action: 'escalate', amountMinor: null });
    else await setDisputeTimer(tx, disputeId, dispute.dueAt ?? dispute.stopAt);
  });
}

/** For an account that is removed (ADR 160). */
export { forgetDisputes } from './dispute-opening.ts';
