import type { OperatorCapability } from '@nearhand/contract/operator-roles';
import { type ApprovalRequest, approvalRequest } from '@nearhand/contract/trust/second-approvals';
import type { ApprovalKind } from '@nearhand/contract/trust/second-approvals.rules';
import { reversePayment } from '../../money/corrections/corrections.service.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { decideDispute, openDisputeDecision } from '../../work/disputes/dispute-decision.service.ts';
import { decideNoShow, openNoShowDecision } from '../../work/disputes/no-show-decision.service.ts';
import {
  decideReferral,
  movedByRewards,
  openReferralDecision,
} from '../../work/referrals/rewards.service.ts';
import { type Moved, movedByPay } from '../../work/settlement/second-person.service.ts';
import { openPayoutDecision, releasePayout } from '../payout-reviews/payout-reviews.service.ts';
import type { ApprovalRow } from './second-approvals.sql.ts';

/** Whose role it takes to ask for a decision of a kind, and to approve it. */
export const approvalRoles: Record<ApprovalKind, OperatorCapability> = {
  dispute: 'disputes',
  no_show: 'disputes',
  referral: 'referrals',
  payout_held: 'payments',
  correction: 'payments',
};

/** What a decision would move, and whom it is about. */
export type Prepared = { moved: Moved; accountIds: string[]; businessId: string | null };

/** Locks what a decision is about and checks that it could be made now. @throws the codes of the decision itself, but approval/required */
export async function prepareDecision(tx: Tx, scope: Scope, request: ApprovalRequest): Promise<Prepared> {
  switch (request.kind) {
    case 'dispute': {
      const { row } = await openDisputeDecision(tx, scope, { ...request, disputeId: request.subjectId });
      const moved = await movedByPay(tx, row.id, request.amountMinor);
      return { moved, accountIds: [row.worker_id], businessId: row.business_id };
    }
    case 'no_show': {
      const input = { ...request, engagementId: request.subjectId };
      const { row } = await openNoShowDecision(tx, scope, input);
      const moved = await movedByPay(tx, row.id, request.amountMinor ?? 0);
      return { moved, accountIds: [row.worker_id], businessId: row.business_id };
    }
    case 'referral': {
      const row = await openReferralDecision(tx, scope, request.subjectId);
      const accountIds = [row.inviter_id, row.invited_id];
      return { moved: movedByRewards(scope, row), accountIds, businessId: null };
    }
    case 'payout_held': {
      const { moved, accountId } = await openPayoutDecision(tx, scope, { withdrawalId: request.subjectId });
      return { moved, accountIds: [accountId], businessId: null };
    }
  }
}

/** Makes the decision that was approved, as the caller's. @throws the codes of the decision itself */
export async function makeDecision(tx: Tx, scope: Scope, row: ApprovalRow): Promise<void> {
  const approved = { approved: true };
  if (row.kind === 'correction')
    return reversePayment(tx, scope, { id: row.id, entryId: row.subject_id, reason: row.reason });
  const request = approvalRequest.parse(row.decision);
  switch (request.kind) {
    case 'dispute':
      await decideDispute(tx, scope, { ...request, disputeId: request.subjectId }, approved);
      return;
    case 'no_show':
      await decideNoShow(tx, scope, { ...request, engagementId: request.subjectId }, approved);
      return;
    case 'referral': {
      const { subjectId: referralId, note: reason } = request;
      await decideReferral(tx, scope, { referralId, decision: 'pay', reason }, approved);
      return;
    }
    case 'payout_held':
      await releasePayout(tx, scope, { withdrawalId: request.subjectId }, approved);
  }
}
