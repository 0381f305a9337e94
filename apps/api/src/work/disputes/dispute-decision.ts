import { nextDisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type EngagementRow, openForDecision } from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import {
  type Approval,
  amountAtStake,
  requireSecondApproval,
  singleApproval,
} from '../settlement/second-person.ts';
import {
  type DisputeRow,
  findEngagementId,
  lockDispute,
  requireDisputedAmount,
  settleDispute,
} from './disputes.ts';

type Decision = { disputeId: string; version: number; note: string; amountMinor: number };
type Decided = { row: EngagementRow; mover: { side: 'operator'; accountId: string }; dispute: DisputeRow };

/**
 * Locks a dispute for a decision.
 * @throws dispute/not-found, operator/own-record, dispute/wrong-state
 * (data: status), engagement/stale (data: status, by), dispute/amount-impossible
 */
export async function openDisputeDecision(tx: Tx, scope: Scope, input: Decision): Promise<Decided> {
  const engagementId = await findEngagementId(tx, input.disputeId);
  if (engagementId === null) throw new AppError('dispute/not-found');
  const { row, mover } = await openForDecision(tx, scope, { engagementId });
  const dispute = await lockDispute(tx, input.disputeId);
  if (!dispute) throw new AppError('dispute/not-found');
  if (dispute.version !== input.version)
    throw new AppError('engagement/stale', {
      status: dispute.status,
      ...(await changedBy(tx, row, 'business', await lastMove(tx, 'dispute_steps', dispute.id))),
    });
  if (nextDisputeStatus(dispute.status, 'decide', 'operator') === null)
    throw new AppError('dispute/wrong-state', { status: dispute.status });
  await requireDisputedAmount(tx, row, input.amountMinor);
  return { row, mover, dispute };
}

/**
 * Decides an unsettled dispute, for operators on neither side
 * (ADR 86). The amount lies within the pay bounds; minor units.
 */
export async function decideDispute(
  tx: Tx,
  scope: Scope,
  input: Decision,
  approval: Approval = singleApproval,
): Promise<Engagement> {
  const { row, mover, dispute } = await openDisputeDecision(tx, scope, input);
  requireSecondApproval(scope, await amountAtStake(tx, row.id, input.amountMinor), approval);
  await settleDispute(tx, scope, dispute, row, {
    action: 'decide',
    mover,
    amountMinor: input.amountMinor,
    reason: input.note,
  });
  return viewEngagement(tx, scope, row.id);
}
