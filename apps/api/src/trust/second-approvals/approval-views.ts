import type { SecondApproval } from '@nearhand/contract/trust/second-approvals';
import type { ApprovalKind } from '@nearhand/contract/trust/second-approvals.rules';
import type { Db } from '../../platform/db.ts';
import { type ApprovalRow, findApproval, findLatest } from './approval-kinds.ts';

export const viewApproval = (row: ApprovalRow, now: Date): SecondApproval => ({
  id: row.id,
  kind: row.kind,
  subjectId: row.subject_id,
  amountMinor: row.amount_minor,
  currency: row.currency,
  reason: row.reason,
  requestedBy: { id: row.requested_by, name: row.requester_name },
  requestedAt: row.requested_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  state: isOverdue(row, now) ? 'expired' : row.state,
  decidedBy: row.decided_by === null ? null : { id: row.decided_by, name: row.decider_name ?? '' },
  decidedAt: row.decided_at?.toISOString() ?? null,
  note: row.note,
});

/** Its time is over, but its timer has not run. */
export const isOverdue = (row: Pick<ApprovalRow, 'state' | 'expires_at'>, now: Date): boolean =>
  row.state === 'waiting' && row.expires_at <= now;

/** The last approval that was asked for about a subject; null for none. The caller checks access. */
export async function latestApproval(
  db: Db,
  of: { kind: ApprovalKind; subjectId: string },
  now: Date,
): Promise<SecondApproval | null> {
  const row = await findLatest(db, of);
  return row ? viewApproval(row, now) : null;
}

/** An approval with its pending decision; undefined without one. The caller checks access. */
export async function approvalWithDecision(
  db: Db,
  approvalId: string,
  now: Date,
): Promise<{ approval: SecondApproval; decision: { amountMinor?: number; outcome?: string } } | undefined> {
  const row = await findApproval(db, approvalId);
  return (
    row && {
      approval: viewApproval(row, now),
      decision: row.decision as { amountMinor?: number; outcome?: string },
    }
  );
}
