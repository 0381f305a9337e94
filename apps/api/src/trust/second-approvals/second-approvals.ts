import { hourMs } from '@nearhand/contract/durations';
import { operatorMay } from '@nearhand/contract/operator-roles';
import {
  type ApprovalRequest,
  approvalRequest,
  type SecondApproval,
} from '@nearhand/contract/trust/second-approvals';
import {
  type ApprovalKind,
  type ApprovalState,
  approvalLimits,
} from '@nearhand/contract/trust/second-approvals.rules';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { takesSecondPerson } from '../../work/settlement/second-person.ts';
import { rolesOf } from '../operators/operators.ts';
import {
  type ApprovalRow,
  approvalRoles,
  endApproval,
  endOverdue,
  findApproval,
  findInvolved,
  insertApproval,
  lockApproval,
  makeDecision,
  type Prepared,
  prepareDecision,
} from './approval-kinds.ts';
import { isOverdue, viewApproval } from './approval-views.ts';

/**
 * For the operator who has claimed the case: asks a second one to approve a decision that moves much money. Nothing moves until then.
 * @throws the codes of the decision, approval/waiting, operator/role-required, request/invalid for a decision that one may make
 */
export async function requestApproval(
  tx: Tx,
  scope: Scope,
  input: Pick<ApprovalRequest, 'kind' | 'subjectId' | 'note'>,
): Promise<SecondApproval> {
  const request = approvalRequest.parse(input);
  await requireRole(tx, scope.actor.accountId, request.kind);
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

/** Stores a pending decision for a second operator, and when it expires. @throws approval/waiting */
export async function openApproval(
  tx: Tx,
  scope: Scope,
  asked: { kind: ApprovalKind; subjectId: string; reason: string; decision: object; prepared: Prepared },
): Promise<SecondApproval> {
  const now = scope.clock.now();
  const { kind, subjectId, reason, decision, prepared } = asked;
  await endOverdue(tx, asked, now);
  const id = newId(now);
  const expiresAt = new Date(now.getTime() + approvalLimits.hours * hourMs);
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
  await enqueue(tx, approvalExpiry, { approvalId: id }, { runAt: expiresAt, key: `approval-expiry/${id}` });
  return readBack(tx, scope, id);
}

/**
 * For another operator, who has claimed the approval's case: approves it, which makes the decision, or refuses it. A repeat is a no-op.
 * @throws approval/not-found, approval/over (data: state), operator/own-decision, operator/own-record, operator/role-required, and the
 * codes of the decision, which then stays as it is
 */
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
  await requireRole(tx, by, row.kind);
  const now = scope.clock.now();
  const state: ApprovalState = decision === 'approve' ? 'approved' : 'refused';
  if (row.state === state && row.decidedBy === by) return viewApproval(row, now);
  requireWaiting(row, now);
  if (decision === 'refuse' && note === '')
    throw new AppError('request/invalid', { issues: [{ path: 'note', message: 'why it is refused' }] });
  // One of the two who decide must not have left in the meantime.
  if (decision === 'approve' && !(await hasRole(tx, row.requestedBy, row.kind)))
    throw new AppError('approval/over', { state: 'withdrawn' });
  await endApproval(tx, row.id, { state, at: now, by, note: note || undefined });
  if (decision === 'approve') await makeDecision(tx, scope, row);
  return readBack(tx, scope, row.id);
}

/** For the operator who asked: withdraws it while it is pending. A repeat is a no-op. @throws approval/not-found, approval/over (data: state) */
export async function withdrawApproval(
  tx: Tx,
  scope: Scope,
  { approvalId }: { approvalId: string },
): Promise<SecondApproval> {
  const row = await lockApproval(tx, approvalId);
  if (row?.requestedBy !== scope.actor.accountId) throw new AppError('approval/not-found');
  const now = scope.clock.now();
  if (row.state === 'withdrawn') return viewApproval(row, now);
  requireWaiting(row, now);
  await endApproval(tx, row.id, { state: 'withdrawn', at: now });
  return readBack(tx, scope, row.id);
}

/** Its time is over. Run by a timer; a no-op if it was decided before, or too early. */
async function expireApproval(
  tx: Tx,
  { clock }: Pick<TaskScope, 'clock'>,
  { approvalId }: { approvalId: string },
): Promise<void> {
  const row = await lockApproval(tx, approvalId);
  const now = clock.now();
  if (row && isOverdue(row, now)) await endApproval(tx, row.id, { state: 'expired', at: now });
}

/** @throws approval/over (data: state) */
function requireWaiting(row: ApprovalRow, now: Date): void {
  if (row.state !== 'waiting') throw new AppError('approval/over', { state: row.state });
  if (isOverdue(row, now)) throw new AppError('approval/over', { state: 'expired' });
}

const hasRole = async (db: Db, accountId: string, kind: ApprovalKind): Promise<boolean> =>
  operatorMay(await rolesOf(db, accountId), approvalRoles[kind]);

/** @throws operator/role-required */
async function requireRole(db: Db, accountId: string, kind: ApprovalKind): Promise<void> {
  if (!(await hasRole(db, accountId, kind))) throw new AppError('operator/role-required');
}

async function readBack(tx: Tx, scope: Scope, id: string): Promise<SecondApproval> {
  return viewApproval((await findApproval(tx, id)) as ApprovalRow, scope.clock.now());
}

/** For an account that is removed (ADR 160). */
export { forgetApprovals } from './approval-kinds.ts';

/** The timer that ends what nobody approved. */
const approvalExpiry = {
  name: 'second-approvals.expire',
  payload: z.object({ approvalId: z.uuid() }),
};

const expire = defineTask({
  ...approvalExpiry,
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireApproval(tx, scope, payload)),
});

export const secondApprovalsTasks = [expire];
