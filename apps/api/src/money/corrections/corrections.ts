import type { Currency } from '@nearhand/contract/currencies';
import type { CorrectionEffect, LedgerEntry } from '@nearhand/contract/money/corrections';
import type { CorrectionProblem } from '@nearhand/contract/money/corrections.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { landOnBalance } from '../charges/charge-landing.ts';
import { lockCharge } from '../charges/charges.ts';
import { returnRest } from '../holds/hold-entries.ts';
import { moveHold } from '../holds/hold-transitions.ts';
import { lockHold, markReversed as markReleaseReversed } from '../holds/holds.sql.ts';
import { isFullyPaid } from '../holds/releases.ts';
import { type MoneyScope, moneyHooks } from '../hooks.ts';
import { balanceOf, entryLines, findReversalOf, LedgerShortError, reverseEntry } from '../ledger/ledger.ts';
import { undoClearing } from '../payouts/clearing.ts';
import { markTipReversed } from '../tips/tips.ts';

/** Returns one ledger entry for operators, or null. The caller checks access. */
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

/** The effect of reversing a payment or reward now; null for other entries. Minor units. */
export async function quoteCorrection(db: Db, entryId: string): Promise<CorrectionEffect | null> {
  const row = await findPayment(db, entryId);
  if (!row) return quoteReward(db, entryId);
  return {
    kind: row.tipId === null ? 'pay' : 'tip',
    engagementId: row.engagementId,
    jobTitle: row.jobTitle,
    worker: { id: row.workerId, name: row.workerName },
    business: { id: row.businessId, name: row.businessName },
    workerLosesMinor: row.getsMinor,
    businessLosesMinor: 0,
    businessGetsMinor: row.paidMinor,
    currency: row.currency,
    problem: await correctionProblem(db, row),
  };
}

async function quoteReward(db: Db, entryId: string): Promise<CorrectionEffect | null> {
  const row = await findReward(db, entryId);
  if (!row) return null;
  const isForBusiness = row.businessId !== null;
  return {
    kind: 'reward',
    engagementId: null,
    jobTitle: '',
    worker: { id: row.accountId, name: row.accountName },
    business: row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? '' },
    workerLosesMinor: isForBusiness ? 0 : row.amountMinor,
    businessLosesMinor: isForBusiness ? row.amountMinor : 0,
    businessGetsMinor: 0,
    currency: row.currency,
    problem: await problemOfReward(db, row),
  };
}

/** The reason an entry outside `quoteCorrection` can't be reversed. */
export async function problemOfEntry(db: Db, entryId: string): Promise<CorrectionProblem> {
  const entry = await entryLines(db, entryId);
  const touchesProvider = entry?.lines.some(({ account }) => account.kind === 'provider_clearing') ?? false;
  return touchesProvider ? 'at-provider' : 'not-a-payment';
}

async function correctionProblem(db: Db, row: PaymentRow): Promise<CorrectionProblem | null> {
  if (row.reversedAt !== null) return 'reversed';
  if (row.releaseId !== null && !(await isFullyPaid(db, row.engagementId))) return 'work-goes-on';
  if (row.chargeback === 'open' || row.chargeback === 'lost') return 'charged-back';
  return (await heldBy(db, row.workerId, row.currency)) < row.getsMinor ? 'spent' : null;
}

async function problemOfReward(db: Db, row: RewardRow): Promise<CorrectionProblem | null> {
  if (row.reversedAt !== null) return 'reversed';
  const availableMinor =
    row.businessId === null
      ? await heldBy(db, row.accountId, row.currency)
      : await balanceOf(db, { kind: 'business_promo', ownerId: row.businessId }, row.currency);
  return availableMinor < row.amountMinor ? 'spent' : null;
}

async function heldBy(db: Db, ownerId: string, currency: Currency): Promise<number> {
  const [available, pending] = await Promise.all([
    balanceOf(db, { kind: 'worker_available', ownerId }, currency),
    balanceOf(db, { kind: 'worker_pending', ownerId }, currency),
  ]);
  return available + pending;
}

type Correction = { id: string; entryId: string; reason: string };

/**
 * Reverses a payment or reward into the business's balance. The caller checks that two operators agree.
 * @param correction.id makes a repeat a no-op
 * @throws correction/not-possible (data: problem)
 */
export async function reversePayment(tx: Tx, scope: MoneyScope, correction: Correction): Promise<void> {
  const { id, entryId, reason } = correction;
  const payment = await findPayment(tx, entryId);
  if (!payment) return reverseReward(tx, scope, correction);
  await moneyHooks.needs.lockWork(tx, scope, payment.engagementId);
  if (payment.chargeId !== null) await lockCharge(tx, payment.chargeId);
  const row = (await findPayment(tx, entryId)) ?? payment;
  const problem = await correctionProblem(tx, row);
  if (problem) throw new AppError('correction/not-possible', { problem });
  await orSpent(async () => {
    await undoClearing(tx, scope, row.releaseId ?? row.tipId ?? '');
    await reverseEntry(tx, scope, { key: `correction/${id}`, entryId });
  });
  const at = scope.clock.now();
  if (row.releaseId !== null) {
    await markReleaseReversed(tx, row.releaseId, at);
    await reopenHold(tx, scope, row.engagementId);
  } else if (row.tipId !== null) {
    if (row.chargeId !== null) await landOnBalance(tx, scope, row.chargeId);
    await markTipReversed(tx, row.tipId, at);
  }
  await moneyHooks.on.payReversed(tx, scope, {
    entryId,
    reason,
    engagementId: row.engagementId,
    amountMinor: row.getsMinor,
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
  await moneyHooks.on.rewardReversed(tx, scope, {
    rewardId: row.id,
    accountId: row.accountId,
    reason,
    amountMinor: row.amountMinor,
    currency: row.currency,
    toBusiness: row.businessId !== null,
  });
}

async function orSpent(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    if (error instanceof LedgerShortError)
      throw new AppError('correction/not-possible', { problem: 'spent' });
    throw error;
  }
}

/** Returns money reversed into a finished hold to the business balance. The engagement must be locked. */
async function reopenHold(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const row = await lockHold(tx, { engagementId });
  if (!row) throw new Error(`engagement ${engagementId} has no hold`);
  const open = await moveHold(tx, scope, row, { action: 'add' });
  await returnRest(tx, scope, open);
  await moveHold(tx, scope, open, { action: open.status === 'held' ? 'refund' : 'finish' });
}

type PaymentRow = {
  entryId: string;
  currency: Currency;
  releaseId: string | null;
  tipId: string | null;
  reversedAt: Date | null;
  engagementId: string;
  jobTitle: string;
  workerId: string;
  workerName: string;
  businessId: string;
  businessName: string;
  chargeId: string | null;
  chargeback: string | null;
  getsMinor: number;
  paidMinor: number;
};

async function findPayment(db: Db, entryId: string): Promise<PaymentRow | undefined> {
  const { rows } = await sql<PaymentRow>`
    select entry.id as entry_id, entry.currency, release.id as release_id, tip.id as tip_id,
      coalesce(release.reversed_at, tip.reversed_at) as reversed_at, engagement.id as engagement_id,
      engagement.terms ->> 'title' as job_title, engagement.worker_id, worker.name as worker_name, engagement.business_id,
      business.name as business_name, charge.id as charge_id, charge.chargeback,
      coalesce(release.amount_minor - release.worker_fee_minor, tip.amount_minor) as gets_minor,
      coalesce(release.amount_minor + release.fee_minor, tip.amount_minor) as paid_minor
    from ledger_entries entry
    left join releases release on release.id = entry.about and entry.kind in ('release', 'compensation')
    left join tips tip on tip.id = entry.about and entry.kind in ('tip', 'bonus')
    join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id)
    join accounts worker on worker.id = engagement.worker_id
    join businesses business on business.id = engagement.business_id
    left join charges charge on charge.subject_id = tip.id and charge.landed = 'subject'
      and exists (select from unnest(entry.accounts) account where account ^@ 'provider_clearing')
    where entry.id = ${entryId} and entry.reverses is null`.execute(db);
  return rows[0];
}

type RewardRow = {
  id: string;
  entryId: string;
  currency: Currency;
  accountId: string;
  accountName: string;
  businessId: string | null;
  businessName: string | null;
  amountMinor: number;
  reversedAt: Date | null;
};

async function findReward(db: Db, entryId: string): Promise<RewardRow | undefined> {
  const { rows } = await sql<RewardRow>`
    select reward.id, reward.entry_id, reward.currency, reward.account_id, account.name as account_name, reward.business_id,
      business.name as business_name, reward.amount_minor, reward.reversed_at
    from ledger_entries entry
    join referral_rewards reward on reward.id = entry.about and reward.entry_id = entry.id
    join accounts account on account.id = reward.account_id
    left join businesses business on business.id = reward.business_id
    where entry.id = ${entryId} and entry.kind = 'referral' and entry.reverses is null`.execute(db);
  return rows[0];
}

async function findOwners(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; kind: 'worker' | 'business' | 'hold'; name: string }[]> {
  const { rows } = await sql<{ id: string; kind: 'worker' | 'business' | 'hold'; name: string }>`
    select id, 'worker' as kind, name from accounts where id = any(${[...ids]}::uuid[])
    union all select id, 'business', name from businesses where id = any(${[...ids]}::uuid[])
    union all select hold.id, 'hold', job.title from holds hold join jobs job on job.id = hold.job_id
      where hold.id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}
