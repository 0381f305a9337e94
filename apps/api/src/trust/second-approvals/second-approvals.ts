import { addMs, hourMs } from '@nearhand/contract/durations';
import type { GoodwillRecipient } from '@nearhand/contract/money/corrections';
import { type OperatorCapability, operatorMay } from '@nearhand/contract/operator-roles';
import {
  type ApprovalRequest,
  approvalRequest,
  type SecondApproval,
} from '@nearhand/contract/trust/second-approvals';
import {
  type ApprovalKind,
  type ApprovalState,
  approvalLimits,
  approvalStateAt,
} from '@nearhand/contract/trust/second-approvals.rules';
import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { reversePayment } from '../../money/corrections/corrections.ts';
import { payGoodwill } from '../../money/corrections/goodwill.ts';
import { setLimit } from '../../money/credit-limits/credit-limits.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { SecondApprovals } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { decideDispute, openDisputeDecision } from '../../work/disputes/dispute-decision.ts';
import { decideNoShow, openNoShowDecision } from '../../work/disputes/no-show-decision.ts';
import { decideReferral, movedByRewards, openReferralDecision } from '../../work/referrals/rewards.ts';
import { type AmountAtStake, amountAtStake, takesSecondPerson } from '../../work/settlement/second-person.ts';
import { rolesOf, toOperatorRequest } from '../operators/operators.ts';
import { openPayoutDecision, releasePayout } from '../payout-reviews/payout-reviews.ts';

const approvalRoles: Record<ApprovalKind, OperatorCapability> = {
  dispute: 'disputes',
  no_show: 'disputes',
  referral: 'referrals',
  payout_held: 'payments',
  correction: 'payments',
  goodwill: 'payments',
  credit_limit: 'payments',
};

type Prepared = { moved: AmountAtStake; accountIds: string[]; businessId: string | null };

/**
 * Locks the subject of a decision and checks it.
 * @throws the codes of the decision itself, but approval/required
 */
async function prepareDecision(tx: Tx, scope: Scope, request: ApprovalRequest): Promise<Prepared> {
  switch (request.kind) {
    case 'dispute': {
      const { row } = await openDisputeDecision(tx, scope, { ...request, disputeId: request.subjectId });
      const moved = await amountAtStake(tx, row.id, request.amountMinor);
      return { moved, accountIds: [row.workerId], businessId: row.businessId };
    }
    case 'no_show': {
      const input = { ...request, engagementId: request.subjectId };
      const { row } = await openNoShowDecision(tx, scope, input);
      const moved = await amountAtStake(tx, row.id, request.amountMinor ?? 0);
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

/**
 * Makes the approved decision as the caller.
 * @throws the codes of the decision itself
 */
async function makeDecision(tx: Tx, scope: Scope, row: ApprovalRow): Promise<void> {
  const approved = { approved: true };
  if (row.kind === 'correction')
    return reversePayment(tx, scope, { id: row.id, entryId: row.subjectId, reason: row.reason });
  if (row.kind === 'goodwill')
    return payGoodwill(tx, scope, {
      id: row.id,
      to: (row.decision as { to: GoodwillRecipient }).to,
      amountMinor: row.amountMinor,
      currency: row.currency,
      reason: row.reason,
      paidBy: row.requestedBy,
      approvedBy: scope.actor.accountId,
    });
  if (row.kind === 'credit_limit')
    return setLimit(tx, scope, {
      id: row.id,
      businessId: row.subjectId,
      limitMinor: row.amountMinor,
      currency: row.currency,
      reason: row.reason,
      setBy: row.requestedBy,
      approvedBy: scope.actor.accountId,
    });
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

type ApprovalRow = Selectable<SecondApprovals> & { requesterName: string; deciderName: string | null };

const approvalRows = sql`select approval.*, requester.name as requester_name, decider.name as decider_name
  from second_approvals approval join accounts requester on requester.id = approval.requested_by
  left join accounts decider on decider.id = approval.decided_by`;

async function findApproval(db: Db, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`${approvalRows} where approval.id = ${approvalId}`.execute(db);
  return rows[0];
}

async function lockApproval(tx: Tx, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } =
    await sql<ApprovalRow>`${approvalRows} where approval.id = ${approvalId} for update of approval`.execute(
      tx,
    );
  return rows[0];
}

async function findLatest(
  db: Db,
  subject: { kind: ApprovalKind; subjectId: string },
): Promise<ApprovalRow | undefined> {
  const { rows } =
    await sql<ApprovalRow>`${approvalRows} where approval.subject_id = ${subject.subjectId} and approval.kind = ${subject.kind}
    order by approval.requested_at desc, approval.id desc limit 1`.execute(db);
  return rows[0];
}

/** Inserts an approval; returns false if another decision about the subject is pending. */
async function insertApproval(tx: Tx, row: Insertable<SecondApprovals>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('second_approvals')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subjectId']).where('state', '=', sql.lit('waiting')).doNothing(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

type Ending = {
  state: Exclude<ApprovalState, 'waiting'>;
  at: Date;
  by?: string;
  note?: string;
};

/**
 * Ends a pending approval; returns false if it has already ended. The database refuses the operator who
 * requested it.
 */
async function endApproval(tx: Tx, approvalId: string, ending: Ending): Promise<boolean> {
  const { state, at, by = null, note = null } = ending;
  const { numUpdatedRows } = await tx
    .updateTable('second_approvals')
    .set({ state, decidedAt: at, decidedBy: by, note })
    .where('id', '=', approvalId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends an overdue approval before its timer does. */
async function endOverdue(
  tx: Tx,
  subject: { kind: ApprovalKind; subjectId: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('second_approvals')
    .set({ state: 'expired', decidedAt: now })
    .where('kind', '=', subject.kind)
    .where('subjectId', '=', subject.subjectId)
    .where('state', '=', 'waiting')
    .where('expiresAt', '<=', now)
    .execute();
}

/** Returns whether the account is a party to the decision or a member of its business. */
export async function findInvolved(
  db: Db,
  accountId: string,
  audience: { accountIds: readonly string[]; businessId: string | null },
): Promise<boolean> {
  if (audience.accountIds.includes(accountId)) return true;
  if (audience.businessId === null) return false;
  const member = await db
    .selectFrom('business_members')
    .select('accountId')
    .where('businessId', '=', audience.businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return member !== undefined;
}

/**
 * Part of account removal: replaces the person's name in the texts of decisions about them and their
 * businesses.
 */
export async function eraseApprovals(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`update second_approvals set reason = ${withoutWords('reason', member)}, note = ${withoutWords('note', member)},
      decision = ${withoutWords('decision', member)}
    where ${accountId} = any (account_ids)
      or business_id in (select business_id from business_members where account_id = ${accountId})`.execute(
    tx,
  );
}

/**
 * Asks a second operator to approve a large decision. For the case's operator. Nothing moves until the
 * approval.
 */
export async function requestApproval(
  tx: Tx,
  scope: Scope,
  input: Pick<ApprovalRequest, 'kind' | 'subjectId' | 'note'>,
): Promise<SecondApproval> {
  const request = approvalRequest.parse(input);
  await requireApprovalRole(tx, scope.actor.accountId, request.kind);
  const prepared = await prepareDecision(tx, scope, request);
  if (!takesSecondPerson(scope, prepared.moved))
    throw new AppError('request/invalid', {
      issues: [{ path: 'amountMinor', message: 'a decision that takes two' }],
    });
  return openApproval(tx, scope, {
    kind: request.kind,
    subjectId: request.subjectId,
    reason: request.note,
    decision: request,
    prepared,
  });
}

/**
 * Stores a pending decision for a second operator.
 * @throws approval/waiting
 */
export async function openApproval(
  tx: Tx,
  scope: Scope,
  request: { kind: ApprovalKind; subjectId: string; reason: string; decision: object; prepared: Prepared },
): Promise<SecondApproval> {
  const now = scope.clock.now();
  const { kind, subjectId, reason, decision, prepared } = request;
  await endOverdue(tx, request, now);
  const id = newId(now);
  const expiresAt = addMs(now, approvalLimits.hours * hourMs);
  const inserted = await insertApproval(tx, {
    id,
    kind,
    subjectId,
    decision: JSON.stringify(decision),
    reason,
    amountMinor: prepared.moved.amountMinor,
    currency: prepared.moved.currency,
    accountIds: prepared.accountIds,
    businessId: prepared.businessId,
    requestedBy: scope.actor.accountId,
    requestedAt: now,
    expiresAt,
  });
  if (!inserted) throw new AppError('approval/waiting');
  await enqueue(
    tx,
    approvalExpiryTask,
    { approvalId: id },
    { runAt: expiresAt, key: `approval-expiry/${id}` },
  );
  return readBack(tx, scope, id);
}

/** Approves (and so makes) or refuses a decision, for another operator who claimed the case. */
export async function decideApproval(
  tx: Tx,
  scope: Scope,
  input: {
    kind: 'second_approval' | 'correction';
    subjectId: string;
    decision: 'approve' | 'refuse';
    note: string;
  },
): Promise<SecondApproval> {
  const { decision, note } = input;
  const by = scope.actor.accountId;
  const row = await lockApproval(tx, input.subjectId);
  if (!row || (row.kind === 'correction') !== (input.kind === 'correction'))
    throw new AppError('approval/not-found');
  if (row.requestedBy === by) throw new AppError('operator/own-decision');
  if (await findInvolved(tx, by, { accountIds: row.accountIds, businessId: row.businessId }))
    throw new AppError('operator/own-record');
  await requireApprovalRole(tx, by, row.kind);
  const now = scope.clock.now();
  const state: ApprovalState = decision === 'approve' ? 'approved' : 'refused';
  if (row.state === state && row.decidedBy === by) return toSecondApproval(row, now);
  requireWaiting(row, now);
  if (decision === 'refuse' && note === '')
    throw new AppError('request/invalid', { issues: [{ path: 'note', message: 'why it is refused' }] });
  // The requesting operator must still have the role.
  if (decision === 'approve' && !(await hasRole(tx, row.requestedBy, row.kind)))
    throw new AppError('approval/over', { state: 'withdrawn' });
  await endApproval(tx, row.id, { state, at: now, by, note: note || undefined });
  if (decision === 'approve') await makeDecision(tx, scope, row);
  return readBack(tx, scope, row.id);
}

/** Withdraws a pending approval. For the operator who requested it. */
export async function withdrawApproval(
  tx: Tx,
  scope: Scope,
  { approvalId }: { approvalId: string },
): Promise<SecondApproval> {
  const row = await lockApproval(tx, approvalId);
  if (row?.requestedBy !== scope.actor.accountId) throw new AppError('approval/not-found');
  const now = scope.clock.now();
  if (row.state === 'withdrawn') return toSecondApproval(row, now);
  requireWaiting(row, now);
  await endApproval(tx, row.id, { state: 'withdrawn', at: now });
  return readBack(tx, scope, row.id);
}

async function expireApproval(
  tx: Tx,
  { clock }: Pick<TaskScope, 'clock'>,
  { approvalId }: { approvalId: string },
): Promise<void> {
  const row = await lockApproval(tx, approvalId);
  const now = clock.now();
  if (row?.state === 'waiting' && approvalStateAt(row, now) === 'expired')
    await endApproval(tx, row.id, { state: 'expired', at: now });
}

/** @throws approval/over (data: state) */
function requireWaiting(row: ApprovalRow, now: Date): void {
  const state = approvalStateAt(row, now);
  if (state !== 'waiting') throw new AppError('approval/over', { state });
}

const hasRole = async (db: Db, accountId: string, kind: ApprovalKind): Promise<boolean> =>
  operatorMay(await rolesOf(db, accountId), approvalRoles[kind]);

/** @throws operator/role-required */
async function requireApprovalRole(db: Db, accountId: string, kind: ApprovalKind): Promise<void> {
  if (!(await hasRole(db, accountId, kind))) throw new AppError('operator/role-required');
}

async function readBack(tx: Tx, scope: Scope, id: string): Promise<SecondApproval> {
  return toSecondApproval((await findApproval(tx, id)) as ApprovalRow, scope.clock.now());
}

const approvalExpiryTask = defineTask({
  name: 'second-approvals.expire',
  payload: z.object({ approvalId: z.uuid() }),
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireApproval(tx, scope, payload)),
});

const toSecondApproval = (row: ApprovalRow, now: Date): SecondApproval => ({
  ...row,
  ...toOperatorRequest(row, now),
});

/** The last approval requested for a subject, or null. The caller checks access. */
export async function latestApproval(
  db: Db,
  subject: { kind: ApprovalKind; subjectId: string },
  now: Date,
): Promise<SecondApproval | null> {
  const row = await findLatest(db, subject);
  return row ? toSecondApproval(row, now) : null;
}

/** An approval with its pending decision, or undefined. The caller checks access. */
export async function approvalWithDecision(
  db: Db,
  approvalId: string,
  now: Date,
): Promise<{ approval: SecondApproval; decision: { amountMinor?: number; outcome?: string } } | undefined> {
  const row = await findApproval(db, approvalId);
  return (
    row && {
      approval: toSecondApproval(row, now),
      decision: row.decision as { amountMinor?: number; outcome?: string },
    }
  );
}

export const secondApprovalsTasks = [approvalExpiryTask];
