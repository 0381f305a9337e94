import type { Currency } from '@nearhand/contract/currencies';
import type { Funding, PlannedFunding } from '@nearhand/contract/money/funding';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { atOnce, cancelTask, enqueue } from '../../platform/tasks/tasks.ts';
import { dayOfWork, requireBudgets } from '../budgets/budget-limits.ts';
import { requireCreditPaid } from '../credit-limits/credit-limits.ts';
import type { HoldOwner, MoneyScope } from '../hooks.ts';
import { remainingOf } from './hold-entries.ts';
import { fundedBy, type HoldMoveName, isOpenHold, nextHoldStatus } from './holds.rules.ts';
import {
  findReleases,
  type HoldRow,
  insertHoldMoves,
  insertHolds,
  lockHold,
  updateHold,
} from './holds.sql.ts';

export type HoldTerms = {
  currency: Currency;
  payTotalMinor: number;
  holdMinor: number;
  businessFeeBasisPoints: number;
  workerFeeBasisPoints: number;
  /** The time and zone of the work, which decide the budgets it counts against. */
  startsAt: string | null;
  dueOn: string | null;
  timeZone: string;
  /** The time the hold is funded, and its deadline; null if at once (ADR 399). */
  plannedFunding?: PlannedFunding | null;
};

export const ownerOf = (row: Pick<HoldRow, 'offerId' | 'engagementId'>): HoldOwner => ({
  offerId: row.offerId,
  engagementId: row.engagementId,
});

/**
 * Creates unpaid holds. The job must be locked and the offer inserted already; `offerId` is null for an
 * unassigned spot.
 * @throws payment/over-budget, payment/credit-overdue
 */
export async function createHolds(
  tx: Tx,
  scope: MoneyScope,
  request: { businessId: string; jobId: string; offerId: string | null; terms: HoldTerms; count?: number },
): Promise<HoldRow[]> {
  const now = scope.clock.now();
  const { terms, businessId, jobId, count = 1 } = request;
  const workOn = dayOfWork(scope, terms);
  const { currency } = terms;
  await requireCreditPaid(tx, businessId);
  await requireBudgets(tx, scope, { businessId, currency }, [
    { jobId, day: workOn, amountMinor: terms.holdMinor * count },
  ]);
  const { fundAt, fundBy } = fundingTimesOf(terms);
  const rows = Array.from({ length: count }, () => ({
    id: newId(now),
    version: 1,
    businessId,
    jobId,
    offerId: request.offerId,
    engagementId: null,
    status: 'created' as const,
    workOn,
    currency,
    payMinor: terms.payTotalMinor,
    feeMinor: terms.holdMinor - terms.payTotalMinor,
    addedMinor: 0,
    businessFeeBasisPoints: terms.businessFeeBasisPoints,
    workerFeeBasisPoints: terms.workerFeeBasisPoints,
    source: null,
    frozen: false,
    payBy: null,
    fundAt,
    fundBy,
    createdBy: scope.actor?.accountId ?? null,
    createdAt: now,
    updatedAt: now,
  }));
  await insertHolds(tx, rows);
  await insertHoldMoves(
    tx,
    rows.map(({ id }) => ({
      id: newId(now),
      holdId: id,
      actor: scope.actor?.accountId ?? 'timer',
      action: 'create',
      fromStatus: null,
      toStatus: 'created' as const,
      reason: null,
      at: now,
    })),
  );
  crashPoint('fund/created');
  return rows;
}

/** The time a hold on these terms is funded and its deadline, as columns; null if at once. */
export const fundingTimesOf = ({ plannedFunding }: Pick<HoldTerms, 'plannedFunding'>) => ({
  fundAt: plannedFunding ? new Date(plannedFunding.at) : null,
  fundBy: plannedFunding ? new Date(plannedFunding.by) : null,
});

export type PlannedHold = HoldRow & { fundAt: Date; fundBy: Date };

/** A hold whose money is not set aside yet, but at a planned time (ADR 399). */
export const isPlanned = (row: HoldRow): row is PlannedHold =>
  (row.status === 'created' || row.status === 'authorising') && row.fundAt !== null && row.fundBy !== null;

/**
 * Makes one move of the state table; the hold must be locked.
 * @throws payment/wrong-state (data: status)
 */
export async function moveHold(
  tx: Tx,
  scope: MoneyScope,
  row: HoldRow,
  {
    action,
    changes = {},
    reason = null,
  }: { action: HoldMoveName; changes?: Parameters<typeof updateHold>[2]; reason?: string | null },
): Promise<HoldRow> {
  const to = nextHoldStatus(row.status, action);
  if (to === null) throw new AppError('payment/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const after = await updateHold(tx, row, { ...changes, status: to, updatedAt: now });
  await insertHoldMoves(tx, [
    {
      id: newId(now),
      holdId: row.id,
      actor: scope.actor?.accountId ?? 'timer',
      action,
      fromStatus: row.status,
      toStatus: to,
      reason,
      at: now,
    },
  ]);
  return after;
}

/** Passes the hold of an offer to its engagement, in the transaction of the hire. */
export async function passToEngagement(
  tx: Tx,
  ids: { offerId: string; engagementId: string },
): Promise<void> {
  const row = await lockHold(tx, { offerId: ids.offerId });
  if (!row) return;
  await updateHold(tx, row, { engagementId: ids.engagementId });
}

/**
 * Moves the hold of work that another worker takes over to their offer. Its money or its plan stays in place, so
 * nothing is posted; a payment under way finds the new owner (`lockForOffer`).
 * @throws payment/wrong-state unless it is whole and not frozen, or planned
 */
export async function giveawayHold(
  tx: Tx,
  scope: MoneyScope,
  ids: { engagementId: string; offerId: string },
): Promise<void> {
  const row = await lockHold(tx, { engagementId: ids.engagementId });
  if (!row || row.frozen) throw new AppError('payment/wrong-state', { status: row?.status ?? 'expired' });
  await moveHold(tx, scope, row, {
    action: 'giveaway',
    changes: { offerId: ids.offerId, engagementId: null },
  });
}

/** Marks the hold as disputed. No money moves. */
export async function disputeHold(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const row = await lockHold(tx, { engagementId });
  if (row && isOpenHold(row.status) && row.status !== 'disputed')
    await moveHold(tx, scope, row, { action: 'dispute' });
}

/** The funding shown for a hold: whether planned, unreleased pay is covered in full or in part (ADR 76). */
export async function fundingOf(tx: Tx, row: HoldRow): Promise<Funding> {
  if (row.frozen) return 'frozen';
  if (isPlanned(row)) return 'planned';
  const releases = row.engagementId ? await findReleases(tx, row.engagementId) : [];
  return fundedBy({
    plannedMinor: row.payMinor + row.feeMinor,
    paidMinor: releases.reduce(
      (sum, { state, kind, amountMinor, feeMinor }) =>
        state === 'released' && kind !== 'compensation' ? sum + amountMinor + feeMinor : sum,
      0,
    ),
    heldMinor: isOpenHold(row.status) ? await remainingOf(tx, row) : 0,
  });
}

/** The timers of a hold. `holds.ts` binds what they run, since each of the two may set the other one. */
const timerPayload = z.object({ holdId: z.uuid() });
export const checkoutTimer = { name: 'holds.checkout', payload: timerPayload };
export const fundTimer = { name: 'holds.fund', payload: timerPayload };

const checkoutKey = (holdId: string): string => `${checkoutTimer.name}/${holdId}`;
const fundKey = (holdId: string): string => `${fundTimer.name}/${holdId}`;

/** Sets or replaces the timer that ends the checkout of a hold, by default at once. */
export async function setCheckoutTimer(tx: Tx, holdId: string, runAt: Date = atOnce): Promise<void> {
  await enqueue(tx, checkoutTimer, { holdId }, { runAt, key: checkoutKey(holdId) });
}

/** Sets or replaces the timer that funds a planned hold. */
export async function setFundTimer(tx: Tx, holdId: string, runAt: Date): Promise<void> {
  await enqueue(tx, fundTimer, { holdId }, { runAt, key: fundKey(holdId) });
}

/** Cancels the timers that a hold has in its status. */
export async function cancelHoldTimers(tx: Tx, row: HoldRow): Promise<void> {
  if (row.status === 'authorising') await cancelTask(tx, checkoutKey(row.id));
  if (isPlanned(row)) await cancelTask(tx, fundKey(row.id));
}
