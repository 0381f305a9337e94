import type { CorrectionEffect, LedgerEntry } from '@nearhand/contract/money/corrections';
import type { CorrectionProblem } from '@nearhand/contract/money/corrections.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { reopenHold } from '../holds/hold-reopening.service.ts';
import { isSettled, markReleaseReversed } from '../holds/releases.service.ts';
import { balanceOf, findReversalOf, LedgerShort, reverseEntry } from '../ledger/ledger.service.ts';
import { entryLines } from '../ledger/ledger-history.service.ts';
import { type MoneyScope, moneyOutcomes } from '../outcomes.ts';
import { undoClearing } from '../payouts/clearing.service.ts';
import { markTipReversed } from '../tips/tips.service.ts';
import { findOwners, findPayment, type PaymentRow } from './corrections.sql.ts';

/** One entry with whose accounts it moved, for operators; null without one. The caller checks access. */
export async function viewEntry(db: Db, entryId: string): Promise<LedgerEntry | null> {
  const entry = await entryLines(db, entryId);
  if (!entry) return null;
  const ids = entry.lines.flatMap(({ account }) => ('ownerId' in account ? [account.ownerId] : []));
  const owners = await findOwners(db, ids);
  return {
    ...{ id: entryId, kind: entry.kind, currency: entry.currency, at: entry.at.toISOString() },
    ...{ about: entry.about, reverses: entry.reverses, reversedBy: await findReversalOf(db, entryId) },
    lines: entry.lines.map(({ account, amountMinor }) => {
      const ownerId = 'ownerId' in account ? account.ownerId : null;
      const owner = owners.find(({ id }) => id === ownerId) ?? null;
      return { account: account.kind, owner, amountMinor };
    }),
  };
}

/** What taking this payment back would do now; null for an entry that paid nobody from a hold or balance. Minor units. */
export async function quoteCorrection(db: Db, entryId: string): Promise<CorrectionEffect | null> {
  const row = await findPayment(db, entryId);
  if (!row) return null;
  return {
    engagementId: row.engagement_id,
    jobTitle: row.job_title,
    worker: { id: row.worker_id, name: row.worker_name },
    business: { id: row.business_id, name: row.business_name },
    workerLosesMinor: row.gets_minor,
    businessGetsMinor: row.paid_minor,
    currency: row.currency,
    problem: await problemOf(db, row),
  };
}

async function problemOf(db: Db, row: PaymentRow): Promise<CorrectionProblem | null> {
  if (row.reversed_at !== null) return 'reversed';
  if (row.release_id !== null && !(await isSettled(db, row.engagement_id))) return 'work-goes-on';
  const ownerId = row.worker_id;
  const [available, pending] = await Promise.all([
    balanceOf(db, { kind: 'worker_available', ownerId }, row.currency),
    balanceOf(db, { kind: 'worker_pending', ownerId }, row.currency),
  ]);
  return available + pending < row.gets_minor ? 'spent' : null;
}

/**
 * Reverses a payment to a worker, in the caller's transaction: its clearing, the payment and our fee are reversed, and the business has
 * the money in its balance. Entries are never changed. Both sides are notified with the reason. The caller checks who may, and that two do.
 * @param correction.id makes a repeat a no-op
 * @throws correction/not-possible (data: problem)
 */
export async function reversePayment(
  tx: Tx,
  scope: MoneyScope,
  correction: { id: string; entryId: string; reason: string },
): Promise<void> {
  const { id, entryId, reason } = correction;
  const found = await findPayment(tx, entryId);
  if (!found) throw new AppError('correction/not-possible', { problem: 'not-a-payment' });
  await moneyOutcomes.on.lockWork(tx, scope, found.engagement_id);
  const row = (await findPayment(tx, entryId)) ?? found;
  const problem = await problemOf(tx, row);
  if (problem) throw new AppError('correction/not-possible', { problem });
  try {
    await undoClearing(tx, scope, row.release_id ?? row.tip_id ?? '');
    await reverseEntry(tx, scope, { key: `correction/${id}`, entryId });
  } catch (error) {
    if (error instanceof LedgerShort) throw new AppError('correction/not-possible', { problem: 'spent' });
    throw error;
  }
  const at = scope.clock.now();
  if (row.release_id !== null) {
    await markReleaseReversed(tx, row.release_id, at);
    await reopenHold(tx, scope, row.engagement_id);
  } else if (row.tip_id !== null) await markTipReversed(tx, row.tip_id, at);
  await moneyOutcomes.on.payReversed(tx, scope, {
    ...{ entryId, reason, engagementId: row.engagement_id },
    ...{ amountMinor: row.gets_minor, currency: row.currency },
  });
}
