import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import { scaledMinor } from '@nearhand/contract/money/scaled-minor';
import type { ReferralCase } from '@nearhand/contract/work/referrals';
import { firstNameOf } from '@nearhand/contract/work/referrals.rules';
import { z } from 'zod';
import { type LedgerAccount, postEntry, takeAccounts } from '../../money/ledger/ledger.service.ts';
import type { MoneyOutcomes } from '../../money/outcomes.ts';
import { payoutCurrencyOf } from '../../money/payouts/balance.service.ts';
import { scheduleClearing } from '../../money/payouts/clearing.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.service.ts';
import {
  type Approval,
  byOne,
  type Moved,
  requireSecondPerson,
} from '../settlement/second-person.service.ts';
import {
  type CaseRow,
  countRewarded,
  findOwn,
  findPaidBusiness,
  findReferralCase,
  findShared,
  insertReward,
  lockInviter,
  lockReferral,
  markQualified,
  markRewardReversed,
  type ReferralRow,
  updateReferral,
} from './referrals.sql.ts';

export const rewardReferral = { name: 'referrals.reward', payload: z.object({ referralId: z.uuid() }) };

/** The days in which `REFERRALS_PER_MONTH` are counted. */
const monthDays = 30;

type RewardScope = Pick<Scope, 'clock' | 'config' | 'sign'>;

/**
 * For money: the first pay for work of someone who was invited earns its rewards. Paid by a task: the accounts of inviter and worker must not be locked
 * in the middle of a release, where an entry already holds others. Compensation is no work.
 */
export const referralQualified: MoneyOutcomes['payReleased'] = async (tx, scope, pay) => {
  if (pay.what === 'compensation') return;
  const { engagementId, currency } = pay;
  const ids = await markQualified(tx, { engagementId, currency, at: scope.clock.now() });
  for (const referralId of ids)
    await enqueue(tx, rewardReferral, { referralId }, { key: `referrals.reward/${referralId}` });
};

/** For the runner: pays the rewards of a referral, or makes it a case for an operator. Already decided, it is a no-op. */
export async function runReward(scope: TaskScope, referralId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockReferral(tx, referralId);
    if (row?.status !== 'qualified') return;
    const { inviter_id: inviterId, invited_id: invitedId, engagement_id: engagementId } = row;
    const found = await findShared(tx, { inviterId, invitedId, engagementId });
    const flags = [...new Set([...row.flags, ...found])];
    if (flags.length > 0) return updateReferral(tx, row, { status: 'checking', flags });
    await payRewards(tx, scope, row);
  });
}

type Decision = { decided_by: string; decision_note: string };

/** Pays both sides of a locked referral once. Beyond the inviter's limits only the invited person is paid. */
async function payRewards(tx: Tx, scope: RewardScope, row: ReferralRow, decision?: Decision): Promise<void> {
  const { config, clock } = scope;
  const now = clock.now();
  await lockInviter(tx, row.inviter_id);
  const had = await countRewarded(tx, row.inviter_id, new Date(now.getTime() - monthDays * dayMs));
  const isOver = had.recent >= config.REFERRALS_PER_MONTH || had.all >= config.REFERRALS_IN_ALL;
  const rewards = [
    await rewardOf(tx, row, 'inviter', isOver ? 0 : config.REFERRAL_INVITER_MINOR),
    await rewardOf(tx, row, 'invited', config.REFERRAL_INVITED_MINOR),
  ].filter(({ amountMinor }) => amountMinor > 0);
  for (const currency of new Set(rewards.map((reward) => reward.currency)))
    await takeAccounts(
      tx,
      rewards.filter((reward) => reward.currency === currency).map((reward) => reward.account),
      currency,
    );
  for (const reward of rewards) await payReward(tx, scope, row, reward);
  const isPaid = rewards.some(({ side }) => side === 'inviter');
  await updateReferral(tx, row, {
    status: isPaid ? 'rewarded' : 'unpaid',
    unpaid_reason: isPaid ? null : isOver ? 'limit' : 'paused',
    decided_at: now,
    ...decision,
  });
}

type Reward = {
  side: 'inviter' | 'invited';
  accountId: string;
  businessId: string | null;
  account: LedgerAccount;
  currency: Currency;
  amountMinor: number;
};

/** Who gets a reward where: a business where they came to hire, otherwise the balance of their work. */
async function rewardOf(
  tx: Tx,
  row: ReferralRow,
  side: Reward['side'],
  configuredMinor: number,
): Promise<Reward> {
  const accountId = side === 'inviter' ? row.inviter_id : row.invited_id;
  const asWorker = side === 'invited' && row.side === 'worker';
  const business = asWorker ? undefined : await findPaidBusiness(tx, accountId);
  const workCurrency = row.currency ?? 'EUR';
  const known = asWorker ? workCurrency : await payoutCurrencyOf(tx, accountId);
  const currency = business?.currency ?? known ?? workCurrency;
  return {
    side,
    accountId,
    businessId: business?.id ?? null,
    account: business
      ? { kind: 'business_balance', ownerId: business.id }
      : { kind: 'worker_pending', ownerId: accountId },
    currency,
    amountMinor: scaledMinor(configuredMinor, currency),
  };
}

/** Posts one reward under a key of its side, so that it can't be paid twice. A worker's is pending at first. */
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
  const clearsAt = businessId ? null : new Date(now.getTime() + scope.config.REFERRAL_CLEARING_DAYS * dayMs);
  await insertReward(tx, {
    id,
    side,
    currency,
    referral_id: row.id,
    account_id: accountId,
    business_id: businessId,
    amount_minor: amountMinor,
    entry_id: entryId,
    clears_at: clearsAt,
    at: now,
  });
  await scheduleClearing(tx, scope, { id, workerId: accountId, amountMinor, currency, clearsAt });
  await notify(tx, scope, {
    accountId,
    topic: 'referral-rewarded',
    data: { amountMinor, currency, ...(clearsAt ? { by: clearsAt.toISOString() } : {}) },
    path: side === 'inviter' ? '/share-refer' : businessId ? '/merchant-transaction' : '/withdraw',
    dedupeKey: `referral-rewarded/${id}`,
  });
}

/** For money: an operator's correction took a reward back. Its account is notified with the reason. */
export const rewardReversed: MoneyOutcomes['rewardReversed'] = async (tx, scope, reward) => {
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

/** For operators: a referral to check; undefined if it is decided. The caller checks whose it is. */
export async function referralCase(db: Db, referralId: string): Promise<ReferralCase | undefined> {
  const row = await findReferralCase(db, referralId);
  return row && viewCase(row);
}

function viewCase(row: CaseRow): ReferralCase {
  const { side, engagement_id: engagementId, qualified_at: since } = row;
  if (side === null || engagementId === null || since === null)
    throw new Error(`referral ${row.id} is checked before it was earned`);
  return {
    id: row.id,
    inviter: {
      id: row.inviter_id,
      name: row.inviter_name,
      email: row.inviter_email,
      createdAt: row.inviter_created_at.toISOString(),
    },
    invited: {
      id: row.invited_id,
      name: row.invited_name,
      email: row.invited_email,
      createdAt: row.invited_created_at.toISOString(),
    },
    flags: row.flags,
    side,
    engagementId,
    joinedAt: row.joined_at.toISOString(),
    since: since.toISOString(),
    rewardedBefore: row.rewarded_before,
  };
}

/** Locks a referral that an operator may decide. @throws referral/not-found, operator/own-record, referral/decided */
export async function openReferralDecision(tx: Tx, scope: Scope, referralId: string): Promise<ReferralRow> {
  const operatorId = scope.actor.accountId;
  const row = await lockReferral(tx, referralId);
  if (!row || row.status === 'joined' || row.status === 'qualified') throw new AppError('referral/not-found');
  if (operatorId === row.inviter_id || operatorId === row.invited_id)
    throw new AppError('operator/own-record');
  if (row.status !== 'checking') throw new AppError('referral/decided');
  return row;
}

/** Both rewards as configured, as if in one currency. */
export function movedByRewards({ config }: Pick<Scope, 'config'>, row: ReferralRow): Moved {
  const currency = row.currency ?? 'EUR';
  const minor = config.REFERRAL_INVITER_MINOR + config.REFERRAL_INVITED_MINOR;
  return { amountMinor: scaledMinor(minor, currency), currency };
}

/**
 * For operators: pays a checked referral within the inviter's limits, or refuses it; both people are notified of a refusal with the reason.
 * @throws referral/not-found, operator/own-record, referral/decided, approval/required
 */
export async function decideReferral(
  tx: Tx,
  scope: Scope,
  input: { referralId: string; decision: 'pay' | 'refuse'; reason: string },
  approval: Approval = byOne,
): Promise<{ id: string; decision: 'pay' | 'refuse' }> {
  const { referralId, decision, reason } = input;
  const operatorId = scope.actor.accountId;
  const row = await openReferralDecision(tx, scope, referralId);
  if (decision === 'pay') requireSecondPerson(scope, movedByRewards(scope, row), approval);
  const note: Decision = { decided_by: operatorId, decision_note: reason };
  if (decision === 'pay') {
    await payRewards(tx, scope, row, note);
    return { id: referralId, decision };
  }
  await updateReferral(tx, row, {
    status: 'unpaid',
    unpaid_reason: 'refused',
    decided_at: scope.clock.now(),
    ...note,
  });
  for (const accountId of [row.inviter_id, row.invited_id]) {
    const otherId = accountId === row.inviter_id ? row.invited_id : row.inviter_id;
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
