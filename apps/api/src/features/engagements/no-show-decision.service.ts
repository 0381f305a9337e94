import type { Engagement } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { rankWorker } from '../applications/ranking.service.ts';
import { finishHold } from '../holds/hold-endings.service.ts';
import { settlePay } from '../timesheets/settlement.service.ts';
import { makeEngagementMove, openForDecision } from './engagement-moves.service.ts';
import { tellOfEngagement } from './engagement-notices.service.ts';
import { viewEngagement } from './engagement-views.service.ts';

/**
 * Decides a contested no-show; operators who are on neither side of it (ADR 0086). `absent`: the report stands for good, counts, and the hold goes back.
 * `worked`: it never counts, and `amountMinor` (minor units of the terms, more than nothing and at most the pay as planned) is settled as an approval would.
 * Both are told, with the note.
 * @throws engagement/not-found, operator/own-record, engagement/wrong-state (data: status), engagement/stale (data: status, by),
 * dispute/amount-impossible (data: leastMinor, mostMinor)
 */
export async function decideNoShow(
  tx: Tx,
  scope: Scope,
  input: {
    engagementId: string;
    version: number;
    outcome: 'absent' | 'worked';
    amountMinor?: number | undefined;
    note: string;
  },
): Promise<Engagement> {
  const { outcome, note, amountMinor = 0 } = input;
  const action = outcome === 'worked' ? 'overturn' : 'uphold';
  const { row, mover, repeated } = await openForDecision(tx, scope, {
    ...{ engagementId: input.engagementId, version: input.version, repeatOf: action },
  });
  // A double click; another amount would be another decision.
  if (repeated && (outcome === 'absent' || row.amount_minor === amountMinor))
    return viewEngagement(tx, scope, row.id);
  // Asked apart from the table, in which a report that nobody contested looks like one that was upheld.
  if (row.status !== 'contested') throw new AppError('engagement/wrong-state', { status: row.status });
  const { payTotalMinor: mostMinor, currency } = row.terms;
  if (outcome === 'worked') {
    if (amountMinor < 1 || amountMinor > mostMinor)
      throw new AppError('dispute/amount-impossible', { leastMinor: 1, mostMinor });
    await settlePay(tx, scope, row, { action: 'overturn', mover, amountMinor, reason: note });
  } else {
    await makeEngagementMove(tx, scope, row, 'uphold', mover, { next_what: null, next_at: null }, note);
    await finishHold(tx, scope, row.id);
    await rankWorker(tx, row.worker_id);
  }
  await tellOfEngagement(tx, scope, row.id, {
    worker: 'engagement-no-show-decided',
    recruiters: 'engagement-no-show-decided',
    data: { what: outcome, reason: note, ...(outcome === 'worked' ? { amountMinor, currency } : {}) },
  });
  return viewEngagement(tx, scope, row.id);
}
