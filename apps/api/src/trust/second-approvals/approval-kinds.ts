import type { Currency } from '@nearhand/contract/currencies';
import type { OperatorCapability } from '@nearhand/contract/operator-roles';
import { type ApprovalRequest, approvalRequest } from '@nearhand/contract/trust/second-approvals';
import type { ApprovalKind, ApprovalState } from '@nearhand/contract/trust/second-approvals.rules';
import { type Insertable, type Selectable, sql } from 'kysely';
import { reversePayment } from '../../money/corrections/corrections.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { SecondApprovals } from '../../platform/tables.gen.ts';
import { decideDispute, openDisputeDecision } from '../../work/disputes/dispute-decision.ts';
import { decideNoShow, openNoShowDecision } from '../../work/disputes/no-show-decision.ts';
import { decideReferral, movedByRewards, openReferralDecision } from '../../work/referrals/rewards.ts';
import { type Moved, movedByPay } from '../../work/settlement/second-person.ts';
import { openPayoutDecision, releasePayout } from '../payout-reviews/payout-reviews.ts';

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
      return { moved, accountIds: [row.workerId], businessId: row.businessId };
    }
    case 'no_show': {
      const input = { ...request, engagementId: request.subjectId };
      const { row } = await openNoShowDecision(tx, scope, input);
      const moved = await movedByPay(tx, row.id, request.amountMinor ?? 0);
      return { moved, accountIds: [row.workerId], businessId: row.businessId };
    }
    case 'referral': {
      const row = await openReferralDecision(tx, scope, request.subjectId);
      const accountIds = [row.inviterId, row.invitedId];
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
    return reversePayment(tx, scope, { id: row.id, entryId: row.subjectId, reason: row.reason });
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

export type ApprovalRow = Omit<Selectable<SecondApprovals>, 'kind' | 'state' | 'currency'> & {
  kind: ApprovalKind;
  state: ApprovalState;
  currency: Currency;
  requesterName: string;
  deciderName: string | null;
};

const rowsOf = sql`select approval.*, requester.name as requester_name, decider.name as decider_name
  from second_approvals approval join accounts requester on requester.id = approval.requested_by
  left join accounts decider on decider.id = approval.decided_by`;

export async function findApproval(db: Db, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`${rowsOf} where approval.id = ${approvalId}`.execute(db);
  return rows[0];
}

export async function lockApproval(tx: Tx, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } =
    await sql<ApprovalRow>`${rowsOf} where approval.id = ${approvalId} for update of approval`.execute(tx);
  return rows[0];
}

/** The last approval that was asked for about a subject. */
export async function findLatest(
  db: Db,
  of: { kind: ApprovalKind; subjectId: string },
): Promise<ApprovalRow | undefined> {
  const { rows } =
    await sql<ApprovalRow>`${rowsOf} where approval.subject_id = ${of.subjectId} and approval.kind = ${of.kind}
    order by approval.requested_at desc, approval.id desc limit 1`.execute(db);
  return rows[0];
}

/** False if another decision about the subject waits. */
export async function insertApproval(tx: Tx, row: Insertable<SecondApprovals>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('second_approvals')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subjectId']).where('state', '=', 'waiting').doNothing(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

type Ending = {
  state: Exclude<ApprovalState, 'waiting'>;
  at: Date;
  by?: string;
  note?: string | undefined;
};

/** Ends a waiting approval; false if it was over. The database refuses the operator who asked for it. */
export async function endApproval(tx: Tx, approvalId: string, ending: Ending): Promise<boolean> {
  const { state, at, by = null, note = null } = ending;
  const { numUpdatedRows } = await tx
    .updateTable('second_approvals')
    .set({ state, decidedAt: at, decidedBy: by, note })
    .where('id', '=', approvalId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the waiting approval of a subject whose time is over, before its timer does. */
export async function endOverdue(
  tx: Tx,
  of: { kind: ApprovalKind; subjectId: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('second_approvals')
    .set({ state: 'expired', decidedAt: now })
    .where('kind', '=', of.kind)
    .where('subjectId', '=', of.subjectId)
    .where('state', '=', 'waiting')
    .where('expiresAt', '<=', now)
    .execute();
}

/** Whether an account is one of these people, or belongs to this business. */
export async function findInvolved(
  db: Db,
  accountId: string,
  of: { accountIds: readonly string[]; businessId: string | null },
): Promise<boolean> {
  if (of.accountIds.includes(accountId)) return true;
  if (of.businessId === null) return false;
  const member = await db
    .selectFrom('business_members')
    .select('accountId')
    .where('businessId', '=', of.businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return member !== undefined;
}

/** For an account that is removed: what was decided stays, without its name. */
export async function forgetApprovals(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`update second_approvals set reason = ${withoutWords('reason', member)}, note = ${withoutWords('note', member)},
      decision = ${withoutWords('decision', member)}
    where ${accountId} = any (account_ids)
      or business_id in (select business_id from business_members where account_id = ${accountId})`.execute(
    tx,
  );
}
