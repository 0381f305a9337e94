import type { SecondApproval } from '@nearhand/contract/trust/second-approvals';
import type { ApprovalKind } from '@nearhand/contract/trust/second-approvals.rules';
import type { Db } from '../../platform/db.ts';
import { type ApprovalRow, findApproval, findLatest } from './approval-kinds.ts';

export const viewApproval = (row: ApprovalRow, now: Date): SecondApproval => ({
  ...row,
  requestedBy: { id: row.requestedBy, name: row.requesterName },
  requestedAt: row.requestedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  state: isOverdue(row, now) ? 'expired' : row.state,
  decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.deciderName ?? '' },
  decidedAt: row.decidedAt?.toISOString() ?? null,
});

/** Its time is over, but its timer has not run. */
export const isOverdue = (row: Pick<ApprovalRow, 'state' | 'expiresAt'>, now: Date): boolean =>
  row.state === 'waiting' && row.expiresAt <= now;

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
