import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Side } from '@nearhand/contract/sides';
import { disputeActionsFor } from '@nearhand/contract/work/disputes.rules';
import type { Dispute } from '@nearhand/contract/work/engagements';
import type { Db } from '../../platform/db.ts';
import { findDisputeFiles, findDisputeOf, findSteps } from './engagement-record.ts';

/** The dispute of an engagement as this side sees it; null for a viewer or without one. Minor units. */
export async function disputeOf(db: Db, engagementId: string, side: Side | null): Promise<Dispute | null> {
  const row = await findDisputeOf(db, engagementId);
  if (!row) return null;
  const steps = await findSteps(db, row.id);
  const files = await findDisputeFiles(db, row.id);
  return {
    ...row,
    proposal: proposalOf(row),
    dueAt: row.dueAt?.toISOString() ?? null,
    stopAt: row.stopAt.toISOString(),
    steps: steps.map((step) => ({
      action: step.action,
      status: step.toStatus,
      by: step.side,
      at: step.at.toISOString(),
      reason: step.reason,
      amountMinor: step.amountMinor,
      files: files
        .filter(({ stepId }) => stepId === step.id)
        .map(({ stepId: _step, mediaType, ...file }) => ({
          ...file,
          mediaType,
          path: fileContentPath(file.id),
        })),
    })),
    actions: disputeActionsFor(side, {
      status: row.status,
      filedBy: row.filedBy,
      proposalBy: row.proposalBy,
    }),
  };
}

/** Minor units of the terms. */
export const proposalOf = (row: {
  proposalBy: Side | null;
  proposalAmountMinor: number | null;
  proposalNote: string | null;
  proposalAt: Date | null;
}): Dispute['proposal'] =>
  row.proposalBy !== null && row.proposalAmountMinor !== null && row.proposalAt !== null
    ? {
        by: row.proposalBy,
        amountMinor: row.proposalAmountMinor,
        note: row.proposalNote ?? '',
        at: row.proposalAt.toISOString(),
      }
    : null;
