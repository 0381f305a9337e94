import type { Currency } from '@nearhand/contract/currencies';
import type { HouseRule } from '@nearhand/contract/house-rules';
import type { PayoutSpeed, WithdrawalStatus } from '@nearhand/contract/money/payouts';
import { type HeldPayout, payoutReviews, type UnclaimedMoney } from '@nearhand/contract/trust/payout-reviews';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { sql } from 'kysely';
import { sumRefundable } from '../../money/charges/charges.ts';
import { refundToCards } from '../../money/charges/refunds.ts';
import { balanceOf, balancesOf } from '../../money/ledger/ledger.ts';
import { payeeNamesOf } from '../../money/payees/payees.ts';
import { linkFormerPayee, listFormerBanks } from '../../money/payouts/former-payee.ts';
import { payFormer, saveFormerBank } from '../../money/payouts/former-payouts.ts';
import { bankEnteredBy, lockHeld, refuseHeld, releaseHeld } from '../../money/payouts/held-withdrawals.ts';
import { wasReleased } from '../../money/payouts/payouts.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { SavedBank } from '../../platform/payment-provider.ts';
import {
  type AmountAtStake,
  type Approval,
  requireSecondApproval,
  singleApproval,
  takesSecondPerson,
} from '../../work/settlement/second-person.ts';
import { findEarlier, findOfWithdrawal } from '../sanctions/sanctions.sql.ts';
import { recordSanction, requireOutside, toSanction } from '../sanctions/sanctions.ts';

const earlierShown = 20;
const workShown = 10;

/** A withdrawal in review, or undefined. The caller checks access. */
export async function heldPayout(
  db: Db,
  scope: Scope,
  withdrawalId: string,
): Promise<HeldPayout | undefined> {
  const payout = await payoutEvidence(db, scope, withdrawalId);
  return payout?.status === 'in_review' ? payout : undefined;
}

/**
 * A withdrawal that is or was in review, with the names, other withdrawals and the balance as they are now. The caller
 * checks access. Minor units.
 */
export async function payoutEvidence(
  db: Db,
  scope: Scope,
  withdrawalId: string,
): Promise<HeldPayout | undefined> {
  const row = await findHeld(db, withdrawalId);
  if (!row) return undefined;
  const { accountId, currency } = row;
  const target = { kind: 'account', id: accountId } as const;
  const [names, availableMinor, earlier, decisions, enteredBy, sharedWith, work] = await Promise.all([
    payeeNamesOf(db, accountId),
    balanceOf(db, { kind: 'worker_available', ownerId: accountId }, currency),
    findEarlierWithdrawals(db, { accountId, except: withdrawalId }, earlierShown),
    findEarlier(db, target, earlierShown),
    bankEnteredBy(db, withdrawalId),
    findSharers(db, row, earlierShown),
    findPaidWork(db, row, workShown),
  ]);
  const now = scope.clock.now();
  return {
    ...row,
    withdrawalId,
    names,
    currency,
    availableMinor,
    enteredBy: enteredBy && { name: enteredBy.name, isYou: enteredBy.id === scope.actor.accountId },
    person: {
      id: accountId,
      name: row.accountName,
      email: row.email,
      createdAt: row.createdAt.toISOString(),
    },
    method: {
      bankName: row.bankName,
      last4: row.last4,
      holderName: row.holderName,
      country: row.country,
      addedAt: row.addedAt.toISOString(),
    },
    getsMinor: row.amountMinor - row.feeMinor,
    requestedAt: row.requestedAt.toISOString(),
    takesSecondPerson: takesSecondPerson(scope, { amountMinor: row.amountMinor, currency }),
    earlier: earlier.map((withdrawal) => ({
      id: withdrawal.id,
      status: withdrawal.status,
      amountMinor: withdrawal.amountMinor,
      currency: withdrawal.currency,
      requestedAt: withdrawal.requestedAt.toISOString(),
      last4: withdrawal.last4,
      sameAccount: withdrawal.methodId === row.methodId,
    })),
    sharedWith,
    work: work.map((job) => ({
      ...job,
      startsAt: job.startsAt?.toISOString() ?? null,
      endsAt: job.endsAt?.toISOString() ?? null,
      paidAt: job.paidAt.toISOString(),
    })),
    decisions: decisions.map((decision) => toSanction(decision, now)),
  };
}

/** Money of a removed account or a closed business, or undefined. The caller checks access. */
export async function unclaimedMoney(
  db: Db,
  scope: Pick<Scope, 'provider'>,
  ownerId: string,
): Promise<UnclaimedMoney | undefined> {
  const former = await findFormer(db, ownerId);
  if (!former) return undefined;
  const isPerson = former.owner === 'person';
  const kinds = isPerson
    ? (['worker_available', 'worker_pending'] as const)
    : (['business_balance'] as const);
  const sums = await balancesOf(
    db,
    kinds.map((kind) => ({ kind, ownerId })),
  );
  const withdrawals = isPerson ? await findWithdrawalsOf(db, ownerId, earlierShown) : [];
  const totalIn = (currency: Currency, isPending: boolean) =>
    sums
      .filter((sum) => sum.currency === currency && (sum.account.kind === 'worker_pending') === isPending)
      .reduce((total, { amountMinor }) => total + amountMinor, 0);
  const refundable = isPerson ? new Map<Currency, number>() : await sumRefundable(db, ownerId);
  const balances = [...new Set(sums.map(({ currency }) => currency))].map((currency) => ({
    currency,
    amountMinor: totalIn(currency, false),
    pendingMinor: totalIn(currency, true),
    refundableMinor: Math.min(totalIn(currency, false), refundable.get(currency) ?? 0),
  }));
  return {
    ownerId,
    owner: former.owner,
    name: former.name,
    endedAt: former.endedAt.toISOString(),
    balances: balances.filter(({ amountMinor, pendingMinor }) => amountMinor + pendingMinor > 0),
    withdrawals: withdrawals.map((row) => ({ ...row, requestedAt: row.requestedAt.toISOString() })),
    tokenUrl: scope.provider.tokenUrl,
  };
}

/** Withdraws a removed account's money, which is held for review. */
async function withdrawFormer(
  tx: Tx,
  scope: Scope,
  input: { ownerId: string; currency: Currency; token: string },
  bank: SavedBank,
): Promise<{ withdrawalId: string; status: WithdrawalStatus }> {
  const { id, status } = await payFormer(tx, scope, input, bank);
  return { withdrawalId: id, status };
}

/** Lists bank accounts of a worker's removed account at the provider. For operators with the role. */
async function formerBanks(db: Db, scope: Scope, { ownerId }: { ownerId: string }) {
  const banks = await listFormerBanks(db, scope, ownerId);
  return banks.map(({ ref, bankName, last4, holderName, country, currency }) => ({
    token: ref,
    bankName,
    last4,
    holderName,
    country,
    currency,
  }));
}

/** Refunds a closed business's balance to its cards, for one operator, since money can go nowhere else. */
async function refundFormer(
  tx: Tx,
  scope: Scope,
  { ownerId, currency }: { ownerId: string; currency: Currency },
): Promise<{ refundedMinor: number; leftMinor: number; currency: Currency; cards: string[] }> {
  const former = await findFormer(tx, ownerId);
  if (former?.owner !== 'business') throw new AppError('business/not-found');
  const balanceMinor = await balanceOf(tx, { kind: 'business_balance', ownerId }, currency);
  if (balanceMinor <= 0) throw new AppError('payment/balance-short', { balanceMinor, currency });
  const request = { businessId: ownerId, amountMinor: balanceMinor, currency };
  const refund = await refundToCards(tx, scope, request, { inPart: true });
  return { ...refund, leftMinor: balanceMinor - refund.refundedMinor };
}

type WithdrawalRef = { withdrawalId: string };

/**
 * Locks a withdrawal for an operator other than the one who entered its bank account.
 * @throws payout/not-found, payout-review/decided, operator/own-record, operator/own-decision
 */
export async function openPayoutDecision(
  tx: Tx,
  scope: Scope,
  { withdrawalId }: WithdrawalRef,
): Promise<{ moved: AmountAtStake; accountId: string }> {
  const row = await lockHeld(tx, withdrawalId);
  await requireOutside(tx, scope, { accountId: row.accountId, businessId: null });
  if (row.status !== 'in_review') throw new AppError('payout-review/decided');
  if ((await bankEnteredBy(tx, withdrawalId))?.id === scope.actor.accountId)
    throw new AppError('operator/own-decision');
  return {
    moved: { amountMinor: row.amountMinor, currency: row.currency },
    accountId: row.accountId,
  };
}

/** Sends a withdrawal in review and accepts its bank account, for operators. */
export async function releasePayout(
  tx: Tx,
  scope: Scope,
  { withdrawalId }: WithdrawalRef,
  approval: Approval = singleApproval,
): Promise<{ withdrawalId: string; status: WithdrawalStatus }> {
  const row = await lockHeld(tx, withdrawalId);
  if (row.status !== 'in_review' && (await wasReleased(tx, withdrawalId))) {
    await requireOutside(tx, scope, { accountId: row.accountId, businessId: null });
    return { withdrawalId, status: row.status };
  }
  const { moved } = await openPayoutDecision(tx, scope, { withdrawalId });
  requireSecondApproval(scope, moved, approval);
  const { status } = await releaseHeld(tx, scope, row);
  return { withdrawalId, status };
}

/** Returns a withdrawal in review, for operators. */
async function refusePayout(
  tx: Tx,
  scope: Scope,
  { withdrawalId, rule, facts }: WithdrawalRef & { rule: HouseRule; facts: string },
): Promise<Sanction> {
  const row = await lockHeld(tx, withdrawalId);
  await requireOutside(tx, scope, { accountId: row.accountId, businessId: null });
  const refused = await findOfWithdrawal(tx, withdrawalId);
  if (refused) return toSanction(refused, scope.clock.now());
  if (row.status !== 'in_review') throw new AppError('payout-review/decided');
  await refuseHeld(tx, scope, row, facts);
  return recordSanction(tx, scope, {
    measure: 'payout_refused',
    accountId: row.accountId,
    withdrawalId,
    rule,
    facts,
    source: 'screening',
    endsAt: null,
  });
}

type HeldRow = {
  id: string;
  status: WithdrawalStatus;
  accountId: string;
  accountName: string;
  email: string;
  createdAt: Date;
  methodId: string;
  bankName: string;
  last4: string;
  holderName: string;
  country: string;
  addedAt: Date;
  amountMinor: number;
  feeMinor: number;
  currency: Currency;
  speed: PayoutSpeed;
  requestedAt: Date;
};

async function findHeld(db: Db, withdrawalId: string): Promise<HeldRow | undefined> {
  const { rows } = await sql<HeldRow>`
    select withdrawal.id, withdrawal.status, withdrawal.account_id, account.name as account_name, account.email, account.created_at,
      method.id as method_id, method.bank_name, method.last4, method.holder_name, method.country, method.added_at,
      withdrawal.amount_minor, withdrawal.fee_minor, withdrawal.currency, withdrawal.speed, withdrawal.requested_at
    from withdrawals withdrawal join accounts account on account.id = withdrawal.account_id
    join payout_methods method on method.id = withdrawal.method_id
    where withdrawal.id = ${withdrawalId}`.execute(db);
  return rows[0];
}

async function findFormer(
  db: Db,
  ownerId: string,
): Promise<{ owner: 'person' | 'business'; name: string; endedAt: Date } | undefined> {
  const { rows } = await sql<{ owner: 'person' | 'business'; name: string; endedAt: Date }>`
    select 'person' as owner, account.name, deletion.ended_at
    from account_deletions deletion join accounts account on account.id = deletion.account_id
    where deletion.account_id = ${ownerId} and deletion.status = 'removed'
    union all select 'business', name, updated_at from businesses where id = ${ownerId} and status = 'closed'`.execute(
    db,
  );
  return rows[0];
}

type WithdrawalRow = Pick<HeldRow, 'id' | 'status' | 'amountMinor' | 'currency' | 'requestedAt'>;

async function findWithdrawalsOf(db: Db, accountId: string, limit: number): Promise<WithdrawalRow[]> {
  const { rows } = await sql<WithdrawalRow>`
    select id, status, amount_minor, currency, requested_at from withdrawals
    where account_id = ${accountId} order by requested_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

type EarlierRow = {
  id: string;
  status: WithdrawalStatus;
  amountMinor: number;
  currency: Currency;
  requestedAt: Date;
  last4: string;
  methodId: string;
};

async function findEarlierWithdrawals(
  db: Db,
  payee: { accountId: string; except: string },
  limit: number,
): Promise<EarlierRow[]> {
  const { rows } = await sql<EarlierRow>`
    select withdrawal.id, withdrawal.status, withdrawal.amount_minor, withdrawal.currency, withdrawal.requested_at, method.last4,
      withdrawal.method_id
    from withdrawals withdrawal join payout_methods method on method.id = withdrawal.method_id
    where withdrawal.account_id = ${payee.accountId} and withdrawal.id <> ${payee.except}
    order by withdrawal.requested_at desc, withdrawal.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Other accounts with the same bank account; removed bank accounts count. Index: `payout_methods_fingerprint`. */
async function findSharers(
  db: Db,
  { accountId, methodId }: Pick<HeldRow, 'accountId' | 'methodId'>,
  limit: number,
): Promise<HeldPayout['sharedWith']> {
  const { rows } = await sql<HeldPayout['sharedWith'][number]>`
    select distinct on (account.id) account.id, account.name, theirs.holder_name
    from payout_methods mine join payout_methods theirs on theirs.fingerprint = mine.fingerprint
    join accounts account on account.id = theirs.account_id
    where mine.id = ${methodId} and theirs.account_id <> ${accountId}
    order by account.id, theirs.added_at desc limit ${limit}`.execute(db);
  return rows;
}

type PaidWork = Omit<HeldPayout['work'][number], 'startsAt' | 'endsAt' | 'paidAt'> & {
  startsAt: Date | null;
  endsAt: Date | null;
  paidAt: Date;
};

/** The work that was paid to the person before the withdrawal, newest payment first. */
async function findPaidWork(
  db: Db,
  { accountId, requestedAt }: Pick<HeldRow, 'accountId' | 'requestedAt'>,
  limit: number,
): Promise<PaidWork[]> {
  const { rows } = await sql<PaidWork>`
    select work.id as engagement_id, work.terms ->> 'title' as title, business.name as business, work.starts_at, work.ends_at,
      work.terms ->> 'timeZone' as time_zone, paid.gets_minor, paid.currency, paid.paid_at
    from engagements work join businesses business on business.id = work.business_id
    cross join lateral (select sum(amount_minor - worker_fee_minor)::bigint as gets_minor, min(currency) as currency,
      max(released_at) as paid_at from releases where engagement_id = work.id and state = 'released'
      and released_at <= ${requestedAt}) paid
    where work.worker_id = ${accountId} and paid.paid_at is not null
    order by paid.paid_at desc, work.id desc limit ${limit}`.execute(db);
  return rows;
}

export const payoutReviewsRoutes = {
  release: write(payoutReviews.release, releasePayout),
  payFormer: write(payoutReviews.payFormer, withdrawFormer, { prepare: saveFormerBank }),
  formerPage: write(payoutReviews.formerPage, async (_tx, _scope, _input, link) => link, {
    prepare: linkFormerPayee,
    stored: false,
  }),
  formerBanks: read(payoutReviews.formerBanks, formerBanks),
  refundFormer: write(payoutReviews.refundFormer, refundFormer),
  refuse: write(payoutReviews.refuse, refusePayout),
};
