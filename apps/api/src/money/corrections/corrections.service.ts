import type { Currency } from '@nearhand/contract/currencies';
import type { CorrectionEffect, LedgerEntry } from '@nearhand/contract/money/corrections';
import type { CorrectionProblem } from '@nearhand/contract/money/corrections.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { landOnBalance, lockChargeOf } from '../charges/charge-landing.service.ts';
import { reopenHold } from '../holds/hold-reopening.service.ts';
import { isSettled, markReleaseReversed } from '../holds/releases.service.ts';
import { balanceOf, findReversalOf, LedgerShort, reverseEntry } from '../ledger/ledger.service.ts';
import { entryLines } from '../ledger/ledger-history.service.ts';
import { type MoneyScope, moneyOutcomes } from '../outcomes.ts';
import { undoClearing } from '../payouts/clearing.service.ts';
import { markTipReversed } from '../tips/tips.service.ts';
import { findOwners, findPayment, findReward, type PaymentRow, type RewardRow } from './corrections.sql.ts';

/** One entry with whose accounts it moved, for operators; null without one. The caller checks access. */
export async function viewEntry(db: Db, entryId: string): Promise<LedgerEntry | null> {
  const entry = await entryLines(db, entryId);
  if (!entry) return null;
  const ids = entry.lines.flatMap(({ account }) => ('ownerId' in account ? [account.ownerId] : []));
  const owners = await findOwners(db, ids);
  return {
    id: entryId,
    kind: entry.kind,
    currency: entry.currency,
    at: entry.at.toISOString(),
    about: entry.about,
    reverses: entry.reverses,
    reversedBy: await findReversalOf(db, entryId),
    lines: entry.lines.map(({ account, amountMinor }) => {
      const ownerId = 'ownerId' in account ? account.ownerId : null;
      const owner = owners.find(({ id }) => id === ownerId) ?? null;
      return { account: account.kind, owner, amountMinor };
    }),
  };
}

/** What taking this payment or reward back would do now; null for an entry that paid neither. Minor units. */
export async function quoteCorrection(db: Db, entryId: string): Promise<CorrectionEffect | null> {
  const row = await findPayment(db, entryId);
  if (!row) return quoteReward(db, entryId);
  return {
    what: row.tip_id === null ? 'pay' : 'tip',
    engagementId: row.engagement_id,
    jobTitle: row.job_title,
    worker: { id: row.worker_id, name: row.worker_name },
    business: { id: row.business_id, name: row.business_name },
    workerLosesMinor: row.gets_minor,
    businessLosesMinor: 0,
    businessGetsMinor: row.paid_minor,
    currency: row.currency,
    problem: await problemOf(db, row),
  };
}

async function quoteReward(db: Db, entryId: string): Promise<CorrectionEffect | null> {
  const row = await findReward(db, entryId);
  if (!row) return null;
  const toBusiness = row.business_id !== null;
  return {
    what: 'reward',
    engagementId: null,
    jobTitle: '',
    worker: { id: row.account_id, name: row.account_name },
    business: row.business_id === null ? null : { id: row.business_id, name: row.business_name ?? '' },
    workerLosesMinor: toBusiness ? 0 : row.amount_minor,
    businessLosesMinor: toBusiness ? row.amount_minor : 0,
    businessGetsMinor: 0,
    currency: row.currency,
    problem: await problemOfReward(db, row),
  };
}

/** Why an entry that `quoteCorrection` does not know can't be reversed: its money moved at the provider, or it paid nobody. */
export async function problemOfEntry(db: Db, entryId: string): Promise<CorrectionProblem> {
  const entry = await entryLines(db, entryId);
  const moved = entry?.lines.some(({ account }) => account.kind === 'provider_clearing') ?? false;
  return moved ? 'at-provider' : 'not-a-payment';
}

async function problemOf(db: Db, row: PaymentRow): Promise<CorrectionProblem | null> {
  if (row.reversed_at !== null) return 'reversed';
  if (row.release_id !== null && !(await isSettled(db, row.engagement_id))) return 'work-goes-on';
  // The business, or we for it, have this money back already.
  if (row.chargeback === 'open' || row.chargeback === 'lost') return 'charged-back';
  return (await heldBy(db, row.worker_id, row.currency)) < row.gets_minor ? 'spent' : null;
}

async function problemOfReward(db: Db, row: RewardRow): Promise<CorrectionProblem | null> {
  if (row.reversed_at !== null) return 'reversed';
  const held =
    row.business_id === null
      ? await heldBy(db, row.account_id, row.currency)
      : await balanceOf(db, { kind: 'business_promo', ownerId: row.business_id }, row.currency);
  return held < row.amount_minor ? 'spent' : null;
}

/** What a worker has, available or pending. */
async function heldBy(db: Db, ownerId: string, currency: Currency): Promise<number> {
  const [available, pending] = await Promise.all([
    balanceOf(db, { kind: 'worker_available', ownerId }, currency),
    balanceOf(db, { kind: 'worker_pending', ownerId }, currency),
  ]);
  return available + pending;
}

type Correction = { id: string; entryId: string; reason: string };

/**
 * Reverses a payment to a worker, or a reward, in the caller's transaction: its clearing, the payment and our fee are reversed, and the
 * business has the money in its balance, also where it paid by card. Entries are never changed. Those concerned are notified with the
 * reason. The caller checks who may, and that two do.
 * @param correction.id makes a repeat a no-op
 * @throws correction/not-possible (data: problem)
 */
export async function reversePayment(tx: Tx, scope: MoneyScope, correction: Correction): Promise<void> {
  const { id, entryId, reason } = correction;
  const found = await findPayment(tx, entryId);
  if (!found) return reverseReward(tx, scope, correction);
  await moneyOutcomes.on.lockWork(tx, scope, found.engagement_id);
  if (found.charge_id !== null) await lockChargeOf(tx, found.charge_id);
  const row = (await findPayment(tx, entryId)) ?? found;
  const problem = await problemOf(tx, row);
  if (problem) throw new AppError('correction/not-possible', { problem });
  await orSpent(async () => {
    await undoClearing(tx, scope, row.release_id ?? row.tip_id ?? '');
    await reverseEntry(tx, scope, { key: `correction/${id}`, entryId });
  });
  const at = scope.clock.now();
  if (row.release_id !== null) {
    await markReleaseReversed(tx, row.release_id, at);
    await reopenHold(tx, scope, row.engagement_id);
  } else if (row.tip_id !== null) {
    if (row.charge_id !== null) await landOnBalance(tx, scope, row.charge_id);
    await markTipReversed(tx, row.tip_id, at);
  }
  await moneyOutcomes.on.payReversed(tx, scope, {
    entryId,
    reason,
    engagementId: row.engagement_id,
    amountMinor: row.gets_minor,
    currency: row.currency,
  });
}

async function reverseReward(tx: Tx, scope: MoneyScope, { id, entryId, reason }: Correction): Promise<void> {
  const row = await findReward(tx, entryId);
  const problem = row ? await problemOfReward(tx, row) : await problemOfEntry(tx, entryId);
  if (!row || problem) throw new AppError('correction/not-possible', { problem: problem ?? 'not-a-payment' });
  await orSpent(async () => {
    await reverseEntry(tx, scope, { key: `correction/${id}`, entryId });
  });
  await moneyOutcomes.on.rewardReversed(tx, scope, {
    rewardId: row.id,
    accountId: row.account_id,
    reason,
    amountMinor: row.amount_minor,
    currency: row.currency,
    toBusiness: row.business_id !== null,
  });
}

/** What the ledger does not cover was spent since it was quoted. */
async function orSpent(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    if (error instanceof LedgerShort) throw new AppError('correction/not-possible', { problem: 'spent' });
    throw error;
  }
}
