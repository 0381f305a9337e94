import type { Engagement } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { changedBy } from '../businesses/changed-by.service.ts';
import { openForDecision } from '../engagements/engagement-moves.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { settleDispute } from './dispute-steps.service.ts';
import { nextDisputeStatus } from './disputes.rules.ts';
import { demandAmount } from './disputes.service.ts';
import { findEngagementId, findLastStepper, lockDispute } from './disputes.sql.ts';

/**
 * Decides a dispute that both sides could not settle in time: the amount for the whole, in minor units of the terms, between what is agreed already and the
 * whole. The pay is settled with it, what of it is still owed is released, the rest of the hold goes back, and both are told why; operators who are on neither
 * side of it (ADR 0086).
 * @throws dispute/not-found, operator/own-record, dispute/wrong-state (data: status), engagement/stale (data: status, by), dispute/amount-impossible
 */
export async function decideDispute(
  tx: Tx,
  scope: Scope,
  input: { disputeId: string; version: number; note: string; amountMinor: number },
): Promise<Engagement> {
  const engagementId = await findEngagementId(tx, input.disputeId);
  if (engagementId === null) throw new AppError('dispute/not-found');
  const { row, mover } = await openForDecision(tx, scope, { engagementId });
  const dispute = await lockDispute(tx, input.disputeId);
  if (!dispute) throw new AppError('dispute/not-found');
  if (dispute.version !== input.version)
    throw new AppError('engagement/stale', {
      status: dispute.status,
      ...(await changedBy(tx, row, 'business', await findLastStepper(tx, dispute.id))),
    });
  if (nextDisputeStatus(dispute.status, 'decide', 'O') === null)
    throw new AppError('dispute/wrong-state', { status: dispute.status });
  await demandAmount(tx, row, input.amountMinor);
  await settleDispute(tx, scope, dispute, row, mover, {
    action: 'decide',
    amountMinor: input.amountMinor,
    reason: input.note,
  });
  return viewEngagement(tx, scope, row.id);
}
