import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Side } from '@nearhand/contract/sides';
import { disputeActionsFor } from '@nearhand/contract/work/disputes.rules';
import type { Dispute } from '@nearhand/contract/work/engagements';
import type { Db } from '../../platform/db.ts';
import { findDisputeFiles, findDisputeOf, findSteps } from './engagement-record.ts';

/** The dispute of an engagement as this side sees it (null: a viewer); null without one. Amounts in minor units of the terms. */
export async function disputeOf(db: Db, engagementId: string, side: Side | null): Promise<Dispute | null> {
  const row = await findDisputeOf(db, engagementId);
  if (!row) return null;
  const steps = await findSteps(db, row.id);
  const files = await findDisputeFiles(db, row.id);
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    filedBy: row.filed_by,
    why: row.why,
    reason: row.reason,
    workerAmountMinor: row.worker_amount_minor,
    businessAmountMinor: row.business_amount_minor,
    proposal: proposalOf(row),
    dueAt: row.due_at?.toISOString() ?? null,
    stopAt: row.stop_at.toISOString(),
    settledMinor: row.settled_minor,
    steps: steps.map((step) => ({
      action: step.action,
      status: step.to_status,
      by: step.side as Dispute['steps'][number]['by'],
      at: step.at.toISOString(),
      reason: step.reason,
      amountMinor: step.amount_minor,
      files: files
        .filter(({ step_id }) => step_id === step.id)
        .map(({ step_id: _step, media_type, ...file }) => ({
          ...file,
          mediaType: media_type,
          path: fileContentPath(file.id),
        })),
    })),
    actions: disputeActionsFor(side, {
      status: row.status,
      filedBy: row.filed_by,
      proposalBy: row.proposal_by,
    }),
  };
}

/** The current proposal; null without one. Amount in minor units of the terms. */
export const proposalOf = (row: {
  proposal_by: Side | null;
  proposal_amount_minor: number | null;
  proposal_note: string | null;
  proposal_at: Date | null;
}): Dispute['proposal'] =>
  row.proposal_by !== null && row.proposal_amount_minor !== null && row.proposal_at !== null
    ? {
        by: row.proposal_by,
        amountMinor: row.proposal_amount_minor,
        note: row.proposal_note ?? '',
        at: row.proposal_at.toISOString(),
      }
    : null;
