import { mayHaveWorked } from '@nearhand/contract/work/disputes.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { boundsProblem, workedBounds } from '@nearhand/contract/work/pay.rules';
import { finishHold } from '../../money/holds/end-holds.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeEngagementMove, openForDecision } from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import { notifyOfEngagement } from '../engagements/engagements.ts';
import { workHooks } from '../hooks.ts';
import {
  type Approval,
  amountAtStake,
  requireSecondApproval,
  singleApproval,
} from '../settlement/second-person.ts';
import { settlePay } from '../settlement/settlement.ts';

type Decision = {
  engagementId: string;
  version: number;
  outcome: 'absent' | 'worked';
  amountMinor?: number;
  note: string;
};

/**
 * Locks the engagement of a contested no-show; `repeated` if it was decided before.
 * @throws engagement/not-found, operator/own-record, engagement/wrong-state (data: status),
 * engagement/stale (data: status, by), engagement/too-early (data: from) for `worked` before the planned end,
 * dispute/amount-impossible (data: minMinor, maxMinor)
 */
export async function openNoShowDecision(tx: Tx, scope: Scope, input: Decision) {
  const { outcome, amountMinor = 0 } = input;
  const { row, mover, repeated } = await openForDecision(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    repeatOf: outcome === 'worked' ? 'overturn' : 'uphold',
  });
  // A double click is a no-op; a different amount would be a new decision.
  if (repeated && (outcome === 'absent' || row.amountMinor === amountMinor))
    return { row, mover, repeated: true };
  // An uncontested report has the same status as an upheld one.
  if (row.status !== 'contested') throw new AppError('engagement/wrong-state', { status: row.status });
  if (outcome === 'worked' && row.endsAt !== null && !mayHaveWorked(row.endsAt, scope.clock.now()))
    throw new AppError('engagement/too-early', { from: row.endsAt.toISOString() });
  const bounds = workedBounds(row.terms.payTotalMinor);
  if (outcome === 'worked' && boundsProblem(amountMinor, bounds))
    throw new AppError('dispute/amount-impossible', bounds);
  return { row, mover, repeated: false };
}

/**
 * Decides a contested no-show, for operators on neither side (ADR 86). `absent` returns the
 * hold; `worked` pays `amountMinor` in minor units, above zero and at most the planned pay.
 */
export async function decideNoShow(
  tx: Tx,
  scope: Scope,
  input: Decision,
  approval: Approval = singleApproval,
): Promise<Engagement> {
  const { outcome, note, amountMinor = 0 } = input;
  const { row, mover, repeated } = await openNoShowDecision(tx, scope, input);
  if (repeated) return viewEngagement(tx, scope, row.id);
  requireSecondApproval(scope, await amountAtStake(tx, row.id, amountMinor), approval);
  const { currency } = row.terms;
  if (outcome === 'worked') {
    await settlePay(tx, scope, row, { action: 'overturn', mover, amountMinor, reason: note });
  } else {
    await makeEngagementMove(tx, scope, row, {
      action: 'uphold',
      mover,
      changes: nextStep(null),
      reason: note,
    });
    await finishHold(tx, scope, row.id);
    await workHooks.on.reliabilityChanged(tx, row.workerId);
  }
  const pay = outcome === 'worked' ? { amountMinor, currency } : undefined;
  await notifyOfEngagement(tx, scope, row.id, {
    worker: 'engagement-no-show-decided',
    recruiters: 'engagement-no-show-decided',
    data: { variant: outcome, reason: note, ...pay },
  });
  return viewEngagement(tx, scope, row.id);
}
