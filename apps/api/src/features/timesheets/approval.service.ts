import type { Engagement } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  demandEngagementMove,
  type EngagementRow,
  openEngagement,
} from '../engagements/engagement-moves.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { demandCovered } from '../holds/release-quotes.service.ts';
import { settlePay } from './settlement.service.ts';
import { findClaims } from './timesheets.sql.ts';

/** What approving this engagement now would agree to, in minor units: the hours as submitted, or the price of the task. */
export async function approvableMinor(tx: Tx, row: EngagementRow): Promise<number> {
  if (row.kind === 'task') return row.terms.payTotalMinor;
  const claim = (await findClaims(tx, row.id)).at(-1);
  if (!claim) throw new Error(`engagement ${row.id} is submitted without a claim`);
  return claim.amount_minor;
}

/**
 * Approves the hours or the delivery; recruiters of the business. What is owed and not paid yet is released, and the engagement is complete. A second click
 * changes nothing.
 * What the hold does not cover is added first (`holds.cover`).
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, payment/hold-short (data: missingMinor, currency)
 */
export async function approveWork(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number },
): Promise<Engagement> {
  const { row, mover, repeated } = await openEngagement(tx, scope, {
    ...input,
    side: 'business',
    repeatOf: 'approve',
  });
  if (repeated && row.status === 'completed') return viewEngagement(tx, scope, row.id);
  if (demandEngagementMove(row, 'approve', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const amountMinor = await approvableMinor(tx, row);
  await demandCovered(tx, row.id, amountMinor);
  await settlePay(tx, scope, row, { action: 'approve', mover, amountMinor });
  return viewEngagement(tx, scope, row.id);
}
