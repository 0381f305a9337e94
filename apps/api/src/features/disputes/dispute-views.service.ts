import type { Dispute } from '@nearhand/contract/engagements';
import type { Side } from '@nearhand/contract/terms';
import type { Db } from '../../platform/db.ts';
import { disputeActionsFor } from './disputes.policy.ts';
import { findDisputeOf, findSteps } from './disputes.sql.ts';

/** For the engagement's view: its dispute as somebody on this side sees it, or who only looks; null where there is none. Amounts in minor units of the terms. */
export async function disputeOf(db: Db, engagementId: string, side: Side | null): Promise<Dispute | null> {
  const row = await findDisputeOf(db, engagementId);
  if (!row) return null;
  const steps = await findSteps(db, row.id);
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
    })),
    actions: disputeActionsFor(side, {
      status: row.status,
      filedBy: row.filed_by,
      proposalBy: row.proposal_by,
    }),
  };
}

/** The proposal that lies on the table, from the columns that hold it; null where there is none. Amount in minor units of the terms. */
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
