import { caseKindTable } from '@nearhand/contract/case-kinds';
import type { Currency } from '@nearhand/contract/currencies';
import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { PayoutSpeed, Withdrawal } from '@nearhand/contract/money/payouts';
import { withdrawalFee } from '@nearhand/contract/money/payouts.rules';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { isOnlyMoney } from '@nearhand/contract/people/account-deletion.rules';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { findObstacles } from '../../people/account-deletion/account-deletion.ts';
import { requireRecentProof } from '../../people/sign-in/credentials.ts';
import { AppError } from '../../platform/app-error.ts';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { ClockConfigScope, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask, enqueue } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { balanceOf, LedgerShortError, postEntry } from '../ledger/ledger.ts';
import { isHeldFor } from '../payees/payees.ts';
import { requireSellerDetails } from '../seller-reports/seller-details.ts';
import { arrivalDay, withdrawalRefusal, withdrawalTerms } from './payouts.rules.ts';
import {
  findMethod,
  findWithdrawal,
  insertWithdrawal,
  insertWithdrawalMove,
  isPayeeWaiting,
  listWithdrawals,
  lockWithdrawal,
  lockWorker,
  type MethodRow,
  recentRequests,
  type WithdrawalRow,
  type WithdrawalView,
} from './payouts.sql.ts';
import { moveWithdrawal, sendKey, sendWithdrawalTask, unreserveMoney } from './withdrawal-transitions.ts';
import { canCancel } from './withdrawals.rules.ts';

type Request = {
  methodId: string;
  amountMinor: number;
  speed: PayoutSpeed;
  closing?: boolean;
};

/** Returns the cost, payout and arrival of a withdrawal. Minor units of the bank account's currency. */
export async function quoteWithdrawal(db: Db, scope: Scope, request: Request) {
  const { method, isHeld } = await requireAllowed(db, scope, request);
  const feeMinor = feeOf(scope, request, method, isHeld);
  return {
    amountMinor: request.amountMinor,
    feeMinor,
    getsMinor: request.amountMinor - feeMinor,
    currency: method.currency,
    arrivesOn: arrivalDay(request.speed, sendAt(scope, request.speed)),
    isReviewed: isHeld,
  };
}

/** The fee of a withdrawal. A held one is free even if instant, because a review delays it. */
const feeOf = (scope: Scope, { speed }: Request, method: MethodRow, isHeld: boolean): number =>
  isHeld ? 0 : withdrawalFee(speed, withdrawalTerms(method.currency, scope.config));

/**
 * Withdraws money to the caller's bank account; the transaction
 * reserves it, fee included. A new account needs a recent sign-in.
 */
export async function withdraw(tx: Tx, scope: Scope, request: Request): Promise<Withdrawal> {
  const { accountId } = scope.actor;
  await lockWorker(tx, accountId);
  const { method, availableMinor, isHeld } = await requireAllowed(tx, scope, request);
  const now = scope.clock.now();
  if (now.getTime() - method.addedAt.getTime() < settingDefaults.payoutMethodHoldDays * dayMs)
    await requireRecentProof(tx, scope);
  const id = newId(now);
  const sentAt = sendAt(scope, request.speed);
  const { entryId } = await reserveAmount(tx, scope, {
    id,
    request,
    currency: method.currency,
    availableMinor,
  });
  await insertWithdrawal(tx, {
    id,
    accountId,
    methodId: method.id,
    status: 'requested',
    amountMinor: request.amountMinor,
    feeMinor: feeOf(scope, request, method, isHeld),
    currency: method.currency,
    speed: request.speed,
    cancelBy: sentAt > now && !isHeld ? sentAt : null,
    arrivesOn: isHeld ? null : arrivalDay(request.speed, sentAt),
    requestedAt: now,
    updatedAt: now,
    reserveEntry: entryId,
  });
  await insertWithdrawalMove(tx, {
    id: newId(now),
    withdrawalId: id,
    actor: accountId,
    action: 'request',
    fromStatus: null,
    toStatus: 'requested',
    at: now,
  });
  if (isHeld) {
    await holdForReview(tx, scope, id);
    return getWithdrawal(tx, scope, { withdrawalId: id });
  }
  // Cancellable withdrawals are sent later, the others after the commit.
  await enqueue(
    tx,
    sendWithdrawalTask,
    { withdrawalId: id },
    { key: sendKey(id), runAt: sentAt > now ? sentAt : undefined },
  );
  await notifyOfRequest(tx, scope, {
    id,
    amountMinor: request.amountMinor,
    currency: method.currency,
    sentAt,
  });
  crashPoint('withdraw/requested');
  return getWithdrawal(tx, scope, { withdrawalId: id });
}

/** Holds a withdrawal to another holder than the verified name until an operator decides (ADR 77). */
async function holdForReview(tx: Tx, scope: Scope, withdrawalId: string): Promise<void> {
  const row = (await lockWithdrawal(tx, withdrawalId)) as WithdrawalRow;
  await moveWithdrawal(tx, scope, row, { action: 'review', who: 'timer' });
  await notify(tx, scope, {
    accountId: row.accountId,
    topic: 'withdrawal-in-review',
    data: {
      amountMinor: row.amountMinor,
      currency: row.currency,
      by: reviewBy(row.requestedAt).toISOString(),
    },
    path: '/withdraw',
    dedupeKey: `withdrawal-in-review/${withdrawalId}`,
  });
}

/** Warns the worker, who may not have requested it, while it can still be cancelled. The amount includes the fee. */
const notifyOfRequest = (
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'actor'>,
  request: { id: string; amountMinor: number; currency: Currency; sentAt: Date },
): Promise<void> =>
  notify(tx, scope, {
    accountId: scope.actor.accountId,
    topic: 'withdrawal-requested',
    data: {
      amountMinor: request.amountMinor,
      currency: request.currency,
      by: request.sentAt > scope.clock.now() ? request.sentAt.toISOString() : undefined,
    },
    path: '/withdraw',
    dedupeKey: `withdrawal-requested/${request.id}`,
  });

/** Cancels an unsent withdrawal. For its worker. */
export async function cancelWithdrawal(
  tx: Tx,
  scope: Scope,
  input: { withdrawalId: string; version: number },
): Promise<Withdrawal> {
  const row = await lockWithdrawal(tx, input.withdrawalId);
  if (!row || row.accountId !== scope.actor.accountId) throw new AppError('payout/not-found');
  const { status } = row;
  if (input.version > row.version) throw new AppError('payout/stale', { status });
  // Only the worker can cancel a withdrawal, so a double click is not a conflict.
  if (status !== 'cancelled') {
    if (input.version !== row.version) throw new AppError('payout/stale', { status });
    const waiting = await isPayeeWaiting(tx, row.accountId);
    if (!canCancel({ ...row, waiting }, scope.clock.now()))
      throw new AppError('payout/wrong-state', { status });
    await unreserveMoney(tx, scope, row);
    await moveWithdrawal(tx, scope, row, { action: 'cancel', who: 'worker' });
    await cancelTask(tx, sendKey(row.id));
  }
  return getWithdrawal(tx, scope, input);
}

const sendAt = ({ clock, config }: ClockConfigScope, speed: PayoutSpeed): Date =>
  addMs(clock.now(), speed === 'standard' ? config.WITHDRAWAL_CANCEL_MINUTES * minuteMs : 0);

async function requireAllowed(
  db: Db,
  scope: Scope,
  request: Request,
): Promise<{ method: MethodRow; availableMinor: number; isHeld: boolean }> {
  const { accountId } = scope.actor;
  const method = await findMethod(db, accountId, request.methodId);
  if (!method || method.removedAt !== null) throw new AppError('payout/method-not-found');
  await requireSellerDetails(db, scope, accountId);
  const now = scope.clock.now();
  const account = { kind: 'worker_available', ownerId: accountId } as const;
  const availableMinor = await balanceOf(db, account, method.currency);
  const recent = await recentRequests(db, accountId, subtractMs(now, dayMs));
  const { currency, instant, usableFrom } = method;
  const isClosing = request.closing === true && isOnlyMoney(await findObstacles(db, accountId));
  const facts = { method: { currency, instant, usableFrom }, availableMinor, recent, closing: isClosing };
  const refusal = withdrawalRefusal(request, facts, now, scope.config);
  if (refusal) throw new AppError(`payout/${refusal.code}`, refusal.data);
  return { method, availableMinor, isHeld: await isHeldFor(db, accountId, method) };
}

type Reservation = { id: string; request: Request; currency: Currency; availableMinor: number };

async function reserveAmount(tx: Tx, scope: Scope, { id, request, currency, availableMinor }: Reservation) {
  const ownerId = scope.actor.accountId;
  try {
    return await postEntry(tx, scope, {
      key: `reserve/${id}`,
      kind: 'reserve',
      currency,
      about: id,
      lines: [
        { account: { kind: 'worker_available', ownerId }, amountMinor: -request.amountMinor },
        { account: { kind: 'worker_reserved', ownerId }, amountMinor: request.amountMinor },
      ],
    });
  } catch (error) {
    // The balance was read earlier, so the ledger decides.
    if (error instanceof LedgerShortError)
      throw new AppError('payout/balance-short', { availableMinor, currency }, { cause: error });
    throw error;
  }
}

/** Returns the caller's withdrawals, newest first. */
export async function myWithdrawals(db: Db, scope: Scope, input: PageInput): Promise<Page<Withdrawal>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await listWithdrawals(db, scope.actor.accountId, after, input.limit + 1);
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.requestedAt.toISOString(), row.id]);
  return { items: items.map((row) => toWithdrawal(row, scope)), nextCursor };
}

/** Returns one of the caller's withdrawals. */
export async function getWithdrawal(
  db: Db,
  scope: Scope,
  input: { withdrawalId: string },
): Promise<Withdrawal> {
  const row = await findWithdrawal(db, scope.actor.accountId, input.withdrawalId);
  if (!row) throw new AppError('payout/not-found');
  return toWithdrawal(row, scope);
}

const reviewBy = (requestedAt: Date): Date => addMs(requestedAt, caseKindTable.payout_held.hours * hourMs);

const toWithdrawal = (row: WithdrawalView, { clock }: ClockScope): Withdrawal => ({
  ...row,
  getsMinor: row.amountMinor - row.feeMinor,
  method: { id: row.methodId, bankName: row.bankName, last4: row.last4, holderName: row.holderName },
  requestedAt: row.requestedAt.toISOString(),
  cancelBy: row.status === 'requested' ? (row.cancelBy?.toISOString() ?? null) : null,
  reviewBy: row.status === 'in_review' ? reviewBy(row.requestedAt).toISOString() : null,
  steps: row.steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
  actions: canCancel(row, clock.now()) ? ['cancel'] : [],
});
