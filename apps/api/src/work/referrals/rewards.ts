import { sumOf } from '@nearhand/contract/arithmetic';
import { type Currency, scaledMinor } from '@nearhand/contract/currencies';
import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import { referenceMinor } from '@nearhand/contract/money/reference-rates';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import type { ReferralCase } from '@nearhand/contract/work/referrals';
import { z } from 'zod';
import type { MoneyEvents } from '../../money/hooks.ts';
import type { LedgerAccount } from '../../money/ledger/ledger.rules.ts';
import { postEntry, takeAccounts } from '../../money/ledger/ledger.ts';
import { payoutCurrencyOf } from '../../money/payouts/balance.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import {
  type AmountAtStake,
  type Approval,
  requireSecondApproval,
  singleApproval,
} from '../settlement/second-person.ts';
import {
  countRewarded,
  findOwn,
  findQualifyingPay,
  findReferralCase,
  findShared,
  findWaitingReferrals,
  insertReward,
  lockInviter,
  lockPaidBusiness,
  lockReferral,
  markRewardReversed,
  type QualifyingPay,
  type ReferralCaseRow,
  type ReferralRow,
  sumRecentRewards,
  updateReferral,
} from './referrals.sql.ts';

export const rewardReferralTask = defineTask({
  name: 'referrals.reward',
  payload: z.object({ referralId: z.uuid() }),
  run: (scope, { referralId }) => rewardReferral(scope, referralId),
});

const monthDays = 30;

type RewardScope = Pick<Scope, 'clock' | 'config' | 'sign'>;

/** Queued, because it must see concurrent releases, and accounts can't be locked in the middle of a release. */
export const queueReferralRewards: MoneyEvents['payReleased'] = async (tx, _scope, pay) => {
  if (pay.variant === 'compensation') return;
  for (const referralId of await findWaitingReferrals(tx, pay.engagementId))
    await enqueue(
      tx,
      rewardReferralTask,
      { referralId },
      { key: `referrals.qualify/${referralId}/${pay.releaseId}` },
    );
};

/**
 * Pays earned rewards after REFERRAL_CLEARING_DAYS, unless people are
 * linked or the daily cap is reached; then an operator decides. Idempotent.
 */
export async function rewardReferral(scope: TaskScope, referralId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockReferral(tx, referralId);
    if (row?.status !== 'joined' && row?.status !== 'qualified') return;
    const { config, clock } = scope;
    const now = clock.now();
    const pay = await findEarnedPay(tx, scope, row);
    const last = pay.at(-1);
    if (!last) {
      // The pay that earned the reward was reversed; later pay may earn it again.
      if (row.status === 'qualified') await updateReferral(tx, row, { status: 'joined', qualifiedAt: null });
      return;
    }
    const earnedAt = row.qualifiedAt ?? now;
    const payAt = addMs(earnedAt, config.REFERRAL_CLEARING_DAYS * dayMs);
    if (now < payAt) {
      if (row.status === 'joined')
        await updateReferral(tx, row, {
          status: 'qualified',
          side: last.side,
          engagementId: last.engagementId,
          currency: last.currency,
          qualifiedAt: now,
        });
      const key = `referrals.reward/${referralId}`;
      return enqueue(tx, rewardReferralTask, { referralId }, { runAt: payAt, key });
    }
    const { inviterId, invitedId } = row;
    const shared = await findShared(tx, { inviterId, invitedId, counterpartIds: counterpartsOf(pay, row) });
    const flags = [...new Set([...row.flags, ...shared])];
    if (flags.length > 0) return updateReferral(tx, row, { status: 'checking', flags });
    await payRewards(tx, scope, row);
  });
}

async function findEarnedPay(tx: Tx, { config }: ConfigScope, row: ReferralRow): Promise<QualifyingPay[]> {
  const until = addMs(row.joinedAt, config.REFERRAL_QUALIFYING_DAYS * dayMs);
  const pay = await findQualifyingPay(tx, row, until);
  const earnedMinor = sumOf(pay, (part) => referenceMinor(part.amountMinor, part.currency));
  return earnedMinor < config.REFERRAL_QUALIFYING_MINOR ? [] : pay;
}

/**
 * Checks both sides, which may have changed since the case opened.
 * @throws referral/not-payable (data: why)
 */
async function requirePayable(tx: Tx, scope: Scope, row: ReferralRow): Promise<void> {
  const pay = await findEarnedPay(tx, scope, row);
  if (pay.length === 0) throw new AppError('referral/not-payable', { why: 'not-earned' });
  const { inviterId, invitedId } = row;
  const flags = await findShared(tx, { inviterId, invitedId, counterpartIds: [] });
  if (flags.includes('suspended')) throw new AppError('referral/not-payable', { why: 'suspended' });
  if (flags.includes('closed-account')) throw new AppError('referral/not-payable', { why: 'closed-account' });
}

const counterpartsOf = (pay: readonly QualifyingPay[], row: ReferralRow): string[] =>
  [...new Set(pay.flatMap((part) => part.counterpartIds))].filter(
    (accountId) => accountId !== row.inviterId && accountId !== row.invitedId,
  );

type Decision = { decidedBy: string; decisionNote: string };

/**
 * Pays both sides of a locked referral once; beyond the inviter's limits
 * only the invited person. Above the daily cap it becomes a case.
 */
async function payRewards(tx: Tx, scope: RewardScope, row: ReferralRow, decision?: Decision): Promise<void> {
  const { config, clock } = scope;
  const now = clock.now();
  await lockInviter(tx, row.inviterId);
  const had = await countRewarded(tx, row.inviterId, subtractMs(now, monthDays * dayMs));
  const isOverLimit = had.recent >= config.REFERRALS_PER_MONTH || had.all >= config.REFERRALS_IN_ALL;
  const rewards = [
    await rewardOf(tx, row, 'inviter', isOverLimit ? 0 : config.REFERRAL_INVITER_MINOR),
    await rewardOf(tx, row, 'invited', config.REFERRAL_INVITED_MINOR),
  ].filter(({ amountMinor }) => amountMinor > 0);
  if (!decision && (await exceedsDayCap(tx, scope, rewards)))
    return updateReferral(tx, row, { status: 'checking', flags: ['day-cap'] });
  // A fixed order avoids deadlocks.
  for (const currency of [...new Set(rewards.map((reward) => reward.currency))].sort())
    await takeAccounts(
      tx,
      rewards.filter((reward) => reward.currency === currency).map((reward) => reward.account),
      currency,
    );
  for (const reward of rewards) await payReward(tx, scope, row, reward);
  const isPaid = rewards.some(({ side }) => side === 'inviter');
  await updateReferral(tx, row, {
    status: isPaid ? 'rewarded' : 'unpaid',
    unpaidReason: isPaid ? null : isOverLimit ? 'limit' : 'paused',
    decidedAt: now,
    ...decision,
  });
}

/** Rewards of 24 hours against REFERRAL_DAY_CAP_MINOR, by the reference rates. */
async function exceedsDayCap(
  tx: Tx,
  { config, clock }: RewardScope,
  rewards: readonly Reward[],
): Promise<boolean> {
  const since = subtractMs(clock.now(), dayMs);
  const paidMinor = sumOf(await sumRecentRewards(tx, since), ({ amountMinor, currency }) =>
    referenceMinor(amountMinor, currency),
  );
  const dueMinor = sumOf(rewards, ({ amountMinor, currency }) => referenceMinor(amountMinor, currency));
  return dueMinor > 0 && paidMinor + dueMinor > config.REFERRAL_DAY_CAP_MINOR;
}

type Reward = {
  side: 'inviter' | 'invited';
  accountId: string;
  businessId: string | null;
  account: LedgerAccount;
  currency: Currency;
  amountMinor: number;
};

/**
 * Returns the reward of a side: credit that is never refunded for a business (locked against closing), balance for a
 * worker.
 */
async function rewardOf(
  tx: Tx,
  row: ReferralRow,
  side: Reward['side'],
  configuredMinor: number,
): Promise<Reward> {
  const accountId = side === 'inviter' ? row.inviterId : row.invitedId;
  const isInvitedWorker = side === 'invited' && row.side === 'worker';
  const business = isInvitedWorker ? undefined : await lockPaidBusiness(tx, accountId);
  const workCurrency = row.currency ?? 'EUR';
  const ownCurrency = isInvitedWorker ? workCurrency : await payoutCurrencyOf(tx, accountId);
  const currency = business?.currency ?? ownCurrency ?? workCurrency;
  return {
    side,
    accountId,
    businessId: business?.id ?? null,
    account: business
      ? { kind: 'business_promo', ownerId: business.id }
      : { kind: 'worker_available', ownerId: accountId },
    currency,
    amountMinor: scaledMinor(configuredMinor, currency),
  };
}

/** Posts one reward under a key of its side, so that it can't be paid twice. */
async function payReward(tx: Tx, scope: RewardScope, row: ReferralRow, reward: Reward): Promise<void> {
  const { side, accountId, businessId, account, currency, amountMinor } = reward;
  const now = scope.clock.now();
  const id = newId(now);
  const { entryId } = await postEntry(tx, scope, {
    key: `referral/${row.id}/${side}`,
    kind: 'referral',
    currency,
    about: id,
    lines: [
      { account: { kind: 'platform_marketing' }, amountMinor: -amountMinor },
      { account, amountMinor },
    ],
  });
  await insertReward(tx, {
    id,
    side,
    currency,
    referralId: row.id,
    accountId,
    businessId,
    amountMinor,
    entryId,
    at: now,
  });
  const moneyPath = businessId ? '/merchant-transaction' : '/withdraw';
  await notify(tx, scope, {
    accountId,
    topic: 'referral-rewarded',
    data: { amountMinor, currency, variant: businessId ? 'credit' : 'balance' },
    path: side === 'inviter' ? '/share-refer' : moneyPath,
    dedupeKey: `referral-rewarded/${id}`,
  });
}

/** Money hook: marks the reward and notifies its owner. */
export const recordReversedReward: MoneyEvents['rewardReversed'] = async (tx, scope, reward) => {
  const { rewardId, accountId, reason, amountMinor, currency, toBusiness } = reward;
  await markRewardReversed(tx, rewardId, scope.clock.now());
  await notify(tx, scope, {
    accountId,
    topic: 'referral-reversed',
    data: { amountMinor, currency, reason },
    path: toBusiness ? '/merchant-transaction' : '/withdraw',
    dedupeKey: `referral-reversed/${rewardId}`,
  });
};

/** A referral to check, or undefined. The caller checks access. */
export async function referralCase(db: Db, referralId: string): Promise<ReferralCase | undefined> {
  const row = await findReferralCase(db, referralId);
  return row && toReferralCase(row);
}

function toReferralCase(row: ReferralCaseRow): ReferralCase {
  const { side, engagementId, qualifiedAt: since } = row;
  if (side === null || engagementId === null || since === null)
    throw new Error(`referral ${row.id} is checked before it was earned`);
  return {
    id: row.id,
    inviter: {
      id: row.inviterId,
      name: row.inviterName,
      email: row.inviterEmail,
      createdAt: row.inviterCreatedAt.toISOString(),
    },
    invited: {
      id: row.invitedId,
      name: row.invitedName,
      email: row.invitedEmail,
      createdAt: row.invitedCreatedAt.toISOString(),
    },
    flags: row.flags,
    side,
    engagementId,
    joinedAt: row.joinedAt.toISOString(),
    since: since.toISOString(),
    rewardedBefore: row.rewardedBefore,
  };
}

/**
 * Locks a referral that an operator may decide.
 * @throws referral/not-found, operator/own-record, referral/decided
 */
export async function openReferralDecision(tx: Tx, scope: Scope, referralId: string): Promise<ReferralRow> {
  const operatorId = scope.actor.accountId;
  const row = await lockReferral(tx, referralId);
  if (!row || row.status === 'joined' || row.status === 'qualified') throw new AppError('referral/not-found');
  if (operatorId === row.inviterId || operatorId === row.invitedId) throw new AppError('operator/own-record');
  if (row.status !== 'checking') throw new AppError('referral/decided');
  return row;
}

/** Both rewards as configured, as if in one currency. */
export function movedByRewards({ config }: ConfigScope, row: ReferralRow): AmountAtStake {
  const currency = row.currency ?? 'EUR';
  const minor = config.REFERRAL_INVITER_MINOR + config.REFERRAL_INVITED_MINOR;
  return { amountMinor: scaledMinor(minor, currency), currency };
}

/** Pays a checked referral within the inviter's limits, or refuses it. */
export async function decideReferral(
  tx: Tx,
  scope: Scope,
  input: { referralId: string; decision: 'pay' | 'refuse'; reason: string },
  approval: Approval = singleApproval,
): Promise<{ id: string; decision: 'pay' | 'refuse' }> {
  const { referralId, decision, reason } = input;
  const operatorId = scope.actor.accountId;
  const row = await openReferralDecision(tx, scope, referralId);
  if (decision === 'pay') requireSecondApproval(scope, movedByRewards(scope, row), approval);
  const note: Decision = { decidedBy: operatorId, decisionNote: reason };
  if (decision === 'pay') {
    await requirePayable(tx, scope, row);
    await payRewards(tx, scope, row, note);
    return { id: referralId, decision };
  }
  await updateReferral(tx, row, {
    status: 'unpaid',
    unpaidReason: 'refused',
    decidedAt: scope.clock.now(),
    ...note,
  });
  for (const accountId of [row.inviterId, row.invitedId]) {
    const otherId = accountId === row.inviterId ? row.invitedId : row.inviterId;
    await notify(tx, scope, {
      accountId,
      topic: 'referral-refused',
      data: { reason, workerName: firstNameOf((await findOwn(tx, otherId)).name) },
      path: '/share-refer',
      dedupeKey: `referral-refused/${referralId}/${accountId}`,
    });
  }
  return { id: referralId, decision };
}
