import { engagementPath, handOverPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { methodKind } from '@nearhand/contract/money/cards.rules';
import type { Charge } from '@nearhand/contract/money/charges';
import type { Funding, PlannedFunding } from '@nearhand/contract/money/funding';
import { type Hold, holds } from '@nearhand/contract/money/holds';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { z } from 'zod';
import { findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { repair } from '../../platform/tasks/repair.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { monthOfWork, requireBudget } from '../budgets/budget-limits.ts';
import { defaultCardOf } from '../cards/cards.ts';
import {
  cancelChargeOf,
  isBeingAsked,
  type Landed,
  lastChargeOf,
  type PaidCharge,
  startCharge,
} from '../charges/charges.ts';
import { drawCredit, repaySoon, requireCreditPaid } from '../credit-limits/credit-limits.ts';
import { type HoldOwner, type LateFunding, type MoneyScope, moneyHooks, type OfferToPay } from '../hooks.ts';
import type { EntryLine, LedgerAccount } from '../ledger/ledger.rules.ts';
import {
  balancesOf,
  LedgerShortError,
  type NewEntry,
  type PostedEntry,
  postEntry,
} from '../ledger/ledger.ts';
import { chooseFunding, paidBalance, spendableMinor, spendableOf } from '../wallet/wallet.ts';
import { fundedBy, type HoldMoveName, isOpenHold, nextHoldStatus } from './holds.rules.ts';
import {
  findHold,
  findHoldOf,
  findLostPlans,
  findOverdueCheckouts,
  findReleases,
  findUnpaidHolds,
  type HoldRow,
  insertHoldMoves,
  insertHolds,
  lockHold,
  updateHold,
} from './holds.sql.ts';

export type { HoldRow, MoneyScope };

export const holdAccount = (holdId: string) => ({ kind: 'hold' as const, ownerId: holdId });
export const balanceAccount = (businessId: string) => ({
  kind: 'business_balance' as const,
  ownerId: businessId,
});

/** Promotional credit has its own account, to return to where it came from (ADR 155). */
const holdPromo = (holdId: string) => ({ kind: 'hold_promo' as const, ownerId: holdId });
const businessPromo = (businessId: string) => ({ kind: 'business_promo' as const, ownerId: businessId });

async function contentOf(
  db: Db,
  row: Pick<HoldRow, 'id' | 'currency'>,
): Promise<{ realMinor: number; promoMinor: number }> {
  const balances = await balancesOf(db, [holdAccount(row.id), holdPromo(row.id)]);
  const sum = (kind: LedgerAccount['kind']) =>
    balances.find(({ account, currency }) => account.kind === kind && currency === row.currency)
      ?.amountMinor ?? 0;
  return { realMinor: sum('hold'), promoMinor: sum('hold_promo') };
}

/** Real and promotional money left in a hold. Minor units. */
export async function remainingOf(db: Db, row: Pick<HoldRow, 'id' | 'currency'>): Promise<number> {
  const { realMinor, promoMinor } = await contentOf(db, row);
  return realMinor + promoMinor;
}

const isMoved = ({ amountMinor }: EntryLine): boolean => amountMinor !== 0;

/** The lines that take an amount out of a hold, promotional credit first. Minor units. */
export async function linesFromHold(
  tx: Tx,
  row: Pick<HoldRow, 'id' | 'currency'>,
  amountMinor: number,
): Promise<EntryLine[]> {
  const promoMinor = Math.min(amountMinor, (await contentOf(tx, row)).promoMinor);
  return [
    { account: holdAccount(row.id), amountMinor: promoMinor - amountMinor },
    { account: holdPromo(row.id), amountMinor: -promoMinor },
  ].filter(isMoved);
}

/** The lines that return holds of one business: credit to its credit, money to its balance. */
export async function linesToReturn(tx: Tx, rows: readonly HoldRow[]): Promise<EntryLine[]> {
  const [first] = rows;
  if (!first) return [];
  const contents = [];
  for (const row of rows) contents.push({ row, ...(await contentOf(tx, row)) });
  const realMinor = sumOf(contents, (content) => content.realMinor);
  const promoMinor = sumOf(contents, (content) => content.promoMinor);
  return [
    ...contents.map((content) => ({ account: holdAccount(content.row.id), amountMinor: -content.realMinor })),
    ...contents.map((content) => ({ account: holdPromo(content.row.id), amountMinor: -content.promoMinor })),
    { account: balanceAccount(first.businessId), amountMinor: realMinor },
    { account: businessPromo(first.businessId), amountMinor: promoMinor },
  ].filter(isMoved);
}

export type HoldTerms = {
  currency: Currency;
  payTotalMinor: number;
  holdMinor: number;
  merchantFeeBasisPoints: number;
  workerFeeBasisPoints: number;
  /** The time and zone of the work, which decide the month of its budget. */
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
  const month = monthOfWork(scope, terms);
  const { currency } = terms;
  await requireCreditPaid(tx, businessId);
  await requireBudget(tx, scope, {
    businessId,
    jobId,
    month,
    currency,
    amountMinor: terms.holdMinor * count,
  });
  const { fundAt, fundBy } = fundingTimesOf(terms);
  const rows = Array.from({ length: count }, () => ({
    id: newId(now),
    version: 1,
    businessId,
    jobId,
    offerId: request.offerId,
    engagementId: null,
    status: 'created' as const,
    month,
    currency,
    payMinor: terms.payTotalMinor,
    feeMinor: terms.holdMinor - terms.payTotalMinor,
    addedMinor: 0,
    merchantFeeBasisPoints: terms.merchantFeeBasisPoints,
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

type Planned = HoldRow & { fundAt: Date; fundBy: Date };

/** A hold whose money is not set aside yet, but at a planned time (ADR 399). */
export const isPlanned = (row: HoldRow): row is Planned =>
  (row.status === 'created' || row.status === 'authorising') && row.fundAt !== null && row.fundBy !== null;

/** Sets or replaces the timer that funds a planned hold. */
export async function setFundTimer(tx: Tx, row: Pick<HoldRow, 'id'>, runAt: Date): Promise<void> {
  await enqueue(tx, fundTask, { holdId: row.id }, { runAt, key: fundKey(row.id) });
}

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

/** Posts an entry. Returns null, with the transaction intact, if the balance does not cover it. */
export const tryEntry = (tx: Tx, scope: MoneyScope, entry: NewEntry): Promise<PostedEntry | null> =>
  inSavepoint(tx, isShort, () => postEntry(tx, scope, entry));

const isShort = (error: unknown): boolean => error instanceof LedgerShortError;

/** Runs work in a savepoint; returns null, with nothing written, on a payment error. Rethrows other errors. */
export const tryHold = <Result>(tx: Tx, work: () => Promise<Result>): Promise<Result | null> =>
  inSavepoint(tx, (error) => error instanceof AppError && error.code.startsWith('payment/'), work);

/** Releases the savepoint after a rollback too, since nested attempts share its name. */
async function inSavepoint<Result>(
  tx: Tx,
  isExpected: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result | null> {
  await sql`savepoint attempt`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint attempt`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(tx);
    await sql`release savepoint attempt`.execute(tx);
    if (!isExpected(error)) throw error;
    return null;
  }
}

/** @throws payment/balance-short (data: missingMinor, currency) */
export async function refuseShort(
  tx: Tx,
  request: { businessId: string; amountMinor: number; currency: Currency; forTip?: boolean },
): Promise<never> {
  const { businessId, currency } = request;
  const balanceMinor = await (request.forTip ? paidBalance : spendableMinor)(tx, businessId, currency);
  throw new AppError('payment/balance-short', {
    // A concurrent transaction may have spent the money and be about to return it.
    missingMinor: Math.max(1, request.amountMinor - balanceMinor),
    currency,
  });
}

/**
 * Funds locked holds from the balance, all or none.
 * @throws payment/balance-short (data: missingMinor, currency)
 */
export async function holdFromBalance(
  tx: Tx,
  scope: MoneyScope,
  rows: readonly HoldRow[],
): Promise<HoldRow[]> {
  const [first] = rows;
  if (!first) return [];
  const { businessId, currency } = first;
  const amountMinor = sumOf(rows, (row) => row.payMinor + row.feeMinor);
  // Short work at low pay can round to nothing.
  if (amountMinor === 0) return markHeld(tx, scope, rows, 'balance');
  const isFunded = await fundFromBalance(tx, scope, {
    key: `fund/${first.id}`,
    businessId,
    currency,
    about: rows.length === 1 ? first.id : first.jobId,
    holds: rows.map((row) => ({ id: row.id, amountMinor: row.payMinor + row.feeMinor })),
  });
  if (!isFunded) return refuseShort(tx, { businessId, amountMinor, currency });
  crashPoint('fund/posted');
  return markHeld(tx, scope, rows, 'balance');
}

/** Posts a charge to a hold, keyed by the charge so that it posts once. */
export async function fundFromCharge(
  tx: Tx,
  scope: MoneyScope,
  row: HoldRow,
  charge: { id: string; amountMinor: number },
): Promise<void> {
  await postEntry(tx, scope, {
    key: `fund/${charge.id}`,
    kind: 'fund',
    currency: row.currency,
    about: row.id,
    lines: [
      { account: { kind: 'provider_clearing' }, amountMinor: -charge.amountMinor },
      { account: holdAccount(row.id), amountMinor: charge.amountMinor },
    ],
  });
}

/** Adds balance to a hold; returns false if the balance does not cover it. The caller updates `added_minor`. */
export async function addFromBalance(
  tx: Tx,
  scope: MoneyScope,
  row: HoldRow,
  amountMinor: number,
): Promise<boolean> {
  return fundFromBalance(tx, scope, {
    key: `fund/${row.id}/${row.version}`,
    businessId: row.businessId,
    currency: row.currency,
    about: row.id,
    holds: [{ id: row.id, amountMinor }],
  });
}

/**
 * Moves money into holds in one entry: promotional credit first, then the balance. A balance that is too low draws on
 * the credit limit. Returns false if they do not cover it.
 */
async function fundFromBalance(
  tx: Tx,
  scope: MoneyScope,
  funding: {
    key: string;
    businessId: string;
    currency: Currency;
    about: string;
    holds: readonly { id: string; amountMinor: number }[];
  },
): Promise<boolean> {
  const { key, businessId, currency, about, holds } = funding;
  const amountMinor = sumOf(holds, (hold) => hold.amountMinor);
  for (let tried = ''; ; ) {
    const spendable = await spendableOf(tx, businessId, currency);
    const promoMinor = Math.min(amountMinor, spendable.promoMinor);
    const lackingMinor = Math.max(0, amountMinor - promoMinor - spendable.balanceMinor);
    const drawnMinor = lackingMinor <= spendable.creditMinor ? lackingMinor : 0;
    // Retries only if a concurrent transaction spent or returned money in between.
    if (tried === `${promoMinor}/${drawnMinor}`) return false;
    tried = `${promoMinor}/${drawnMinor}`;
    let leftMinor = promoMinor;
    const lines: EntryLine[] = [
      { account: balanceAccount(businessId), amountMinor: promoMinor - amountMinor },
      { account: businessPromo(businessId), amountMinor: -promoMinor },
    ];
    for (const hold of holds) {
      const fromPromo = Math.min(leftMinor, hold.amountMinor);
      leftMinor -= fromPromo;
      lines.push({ account: holdAccount(hold.id), amountMinor: hold.amountMinor - fromPromo });
      lines.push({ account: holdPromo(hold.id), amountMinor: fromPromo });
    }
    const entry = { key, kind: 'fund' as const, currency, about, lines: lines.filter(isMoved) };
    const isPosted = await inSavepoint(tx, isShort, async () => {
      if (drawnMinor > 0) {
        await drawCredit(tx, scope, { key, businessId, currency, about, amountMinor: drawnMinor });
        crashPoint('fund/drawn');
      }
      return postEntry(tx, scope, entry);
    });
    if (isPosted) return true;
  }
}

async function markHeld(
  tx: Tx,
  scope: MoneyScope,
  rows: readonly HoldRow[],
  source: 'balance' | 'card',
): Promise<HoldRow[]> {
  const heldRows: HoldRow[] = [];
  for (const row of rows) {
    if (row.status === 'authorising') await cancelTask(tx, checkoutKey(row.id));
    if (isPlanned(row)) await cancelTask(tx, fundKey(row.id));
    heldRows.push(await moveHold(tx, scope, row, { action: 'hold', changes: { source, payBy: null } }));
    await moneyHooks.on.fundingChanged(tx, ownerOf(row), 'funded');
  }
  return heldRows;
}

/**
 * Charges a card for a locked hold; the checkout lasts 15 minutes (product.md). The bank's page leads back to
 * `page`.
 * @throws payment/card-not-found
 */
export async function holdFromCard(
  tx: Tx,
  scope: MoneyScope,
  row: HoldRow,
  request: { cardId: string; inApp?: boolean; description: string; page: string },
): Promise<HoldRow> {
  const { cardId, description, page } = request;
  let after = row;
  if (row.status === 'created') {
    const checkoutEnd = addMs(scope.clock.now(), scope.config.CHECKOUT_MINUTES * minuteMs);
    const payBy = row.fundBy && row.fundBy < checkoutEnd ? row.fundBy : checkoutEnd;
    after = await moveHold(tx, scope, row, { action: 'authorise', changes: { payBy, source: 'card' } });
    await enqueue(tx, checkoutTask, { holdId: row.id }, { runAt: payBy, key: checkoutKey(row.id) });
  }
  await startCharge(tx, scope, {
    cardId,
    description,
    returnPath: request.inApp ? handOverPath(page) : page,
    businessId: row.businessId,
    purpose: 'hold',
    subjectId: row.id,
    amountMinor: row.payMinor + row.feeMinor,
    currency: row.currency,
  });
  return after;
}

/**
 * Returns the rest of a hold to the business balance; the caller moves the hold.
 * @returns minor units
 */
export async function returnRest(tx: Tx, scope: MoneyScope, row: HoldRow): Promise<number> {
  const restMinor = await remainingOf(tx, row);
  if (restMinor === 0) return 0;
  await postEntry(tx, scope, {
    // The version makes the key unique, so a refilled hold can be emptied again.
    key: `return/${row.id}/${row.version}`,
    kind: 'hold_returned',
    currency: row.currency,
    about: row.id,
    lines: await linesToReturn(tx, [row]),
  });
  await repaySoon(tx, row.businessId);
  return restMinor;
}

/** Returns a part of a hold to the business, money before credit. The caller updates the hold. Minor units. */
export async function returnPart(
  tx: Tx,
  scope: Pick<MoneyScope, 'clock' | 'sign'>,
  row: HoldRow,
  amountMinor: number,
): Promise<void> {
  const { realMinor, promoMinor } = await contentOf(tx, row);
  const fromReal = Math.min(amountMinor, realMinor);
  const fromPromo = Math.min(amountMinor - fromReal, promoMinor);
  if (fromReal + fromPromo === 0) return;
  await postEntry(tx, scope, {
    key: `return/${row.id}/${row.version}`,
    kind: 'hold_returned',
    currency: row.currency,
    about: row.id,
    lines: [
      { account: holdAccount(row.id), amountMinor: -fromReal },
      { account: holdPromo(row.id), amountMinor: -fromPromo },
      { account: balanceAccount(row.businessId), amountMinor: fromReal },
      { account: businessPromo(row.businessId), amountMinor: fromPromo },
    ].filter(isMoved),
  });
  await repaySoon(tx, row.businessId);
}

/** Returns a hold that ended without a hire. A frozen hold stays until the chargeback is decided. */
export async function refundHold(
  tx: Tx,
  scope: MoneyScope,
  filter: { holdId: string } | { offerId: string },
): Promise<void> {
  const row = await lockHold(tx, filter);
  if (!row) return;
  if (isPlanned(row)) return dropPlanned(tx, scope, row);
  if (row.status === 'authorising') {
    await cancelTask(tx, checkoutKey(row.id));
    await moveHold(tx, scope, row, { action: 'drop', changes: { payBy: null } });
    await cancelChargeOf(tx, scope, row.id, 'hold');
    return;
  }
  if (row.status !== 'held' || row.frozen) return;
  await returnRest(tx, scope, row);
  await moveHold(tx, scope, row, { action: 'refund' });
  await moneyHooks.on.fundingChanged(tx, { offerId: row.offerId, engagementId: null }, 'not_funded');
}

/** Ends a planned hold before its money was set aside. The hold and its owner must be locked. */
export async function dropPlanned(tx: Tx, scope: MoneyScope, row: HoldRow): Promise<void> {
  await cancelTask(tx, fundKey(row.id));
  if (row.status === 'authorising') await cancelTask(tx, checkoutKey(row.id));
  await moveHold(tx, scope, row, { action: 'drop', changes: { payBy: null } });
  await cancelChargeOf(tx, scope, row.id, 'hold');
  await moneyHooks.on.fundingChanged(tx, ownerOf(row), 'not_funded');
}

/** Queues the work, because this transaction has locked the application and must not wait for the job (ADR 38). */
export async function endCheckoutsSoon(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  for (const { id } of await findUnpaidHolds(tx, applicationIds))
    await enqueue(tx, checkoutTask, { holdId: id }, { key: checkoutKey(id) });
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

const checkoutTask = defineTask({
  name: 'holds.checkout',
  payload: z.object({ holdId: z.uuid() }),
  queue: 'money',
  run: (scope, { holdId }) => endCheckout(scope, holdId),
});
const checkoutKey = (holdId: string): string => `${checkoutTask.name}/${holdId}`;

async function lockForOffer(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
): Promise<{ offerId: string; offer: OfferToPay; hold: HoldRow } | null> {
  const unlocked = await findHold(tx, holdId);
  let offerId = unlocked?.offerId;
  if (!unlocked || !offerId) return null;
  let offer = await moneyHooks.on.lockOffer(tx, scope, offerId);
  if (isPlanned(unlocked)) {
    // Its job is locked now, so that nobody is hired or takes the shift over in between.
    const owner = await findHold(tx, holdId);
    if (owner?.offerId && owner.offerId !== offerId) {
      offerId = owner.offerId;
      offer = await moneyHooks.on.lockOffer(tx, scope, offerId);
    }
    if (owner?.engagementId) await moneyHooks.on.lockWork(tx, scope, owner.engagementId);
  }
  const hold = await lockHold(tx, { holdId });
  if (!offer || !hold) return null;
  // The page of the applicant shows no payment of a worker who is booked already.
  const page = hold.engagementId ? engagementPath(hold.engagementId, 'business') : offer.page;
  return { offerId, offer: { ...offer, page }, hold };
}

const fundTask = defineTask({
  name: 'holds.fund',
  payload: z.object({ holdId: z.uuid() }),
  queue: 'money',
  run: (scope, { holdId }) => fundPlanned(scope, holdId),
});
const fundKey = (holdId: string): string => `${fundTask.name}/${holdId}`;

/** Hours between attempts to fund a planned hold from the balance, and between charges of its card. */
const retryHours = 6;
const cardHours = 24;

/**
 * Funds a planned hold from the balance, otherwise by a charge of the default card, and tries again until the deadline.
 * Recruiters are notified of the first failure. If the money is missing `FUND_WARN_HOURS` before the deadline, both
 * sides are notified, even while a payment is under way. At the deadline only the balance counts; if it is too low, the
 * booking ends (ADR 399). Idempotent.
 */
async function fundPlanned(scope: TaskScope, holdId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const locked = await lockForOffer(tx, scope, holdId);
    if (!locked || !isPlanned(locked.hold)) return;
    const { offerId, offer, hold } = locked;
    const { fundAt, fundBy } = hold;
    const now = scope.clock.now();
    if (now < fundAt) return setFundTimer(tx, hold, fundAt);
    const isPaying = hold.status === 'authorising';
    const isOver = now >= fundBy;
    const heldRows =
      isPaying && !isOver
        ? null
        : await tryHold(tx, async () => {
            if (isPaying) await cancelChargeOf(tx, scope, holdId, 'hold');
            return holdFromBalance(tx, scope, [hold]);
          });
    if (heldRows !== null) return;
    if (isOver) return moneyHooks.on.fundingLate(tx, scope, lateFunding(hold, offerId, 'over'));
    const warnAt = subtractMs(fundBy, scope.config.FUND_WARN_HOURS * hourMs);
    const isSoon = now >= warnAt;
    const times = [addMs(now, retryHours * hourMs), warnAt, fundBy].filter((time) => time > now);
    await setFundTimer(tx, hold, new Date(Math.min(...times.map(Number))));
    const isCharged = !isPaying && (await chargePlanned(tx, scope, hold, offer));
    const mayStillBePaid = isPaying && !isSoon;
    if (isCharged || mayStillBePaid) return;
    await moneyHooks.on.fundingLate(tx, scope, lateFunding(hold, offerId, isSoon ? 'soon' : 'failed'));
  });
}

const lateFunding = (hold: Planned, offerId: string, stage: LateFunding['stage']): LateFunding => ({
  stage,
  offerId,
  engagementId: hold.engagementId,
  holdId: hold.id,
  amountMinor: hold.payMinor + hold.feeMinor,
  currency: hold.currency,
  fundBy: hold.fundBy,
});

/**
 * Charges the default card for a planned hold, at most once a day and no later than one checkout before the deadline.
 * Returns false if there is nothing to charge.
 */
async function chargePlanned(tx: Tx, scope: MoneyScope, hold: Planned, offer: OfferToPay): Promise<boolean> {
  if (addMs(scope.clock.now(), scope.config.CHECKOUT_MINUTES * minuteMs) > hold.fundBy) return false;
  const last = await lastChargeOf(tx, hold.id);
  const isRecent = last && subtractMs(scope.clock.now(), cardHours * hourMs) < new Date(last.createdAt);
  const card = isRecent ? null : await defaultCardOf(tx, hold.businessId);
  if (!card) return false;
  const { description, page } = offer;
  const charge = { cardId: card.id, description, page };
  return (await tryHold(tx, () => holdFromCard(tx, scope, hold, charge))) !== null;
}

/**
 * Pays an unpaid hold during the checkout, or a planned one early, and stops a charge in progress. For recruiters
 * of the business.
 */
export async function payHold(
  tx: Tx,
  scope: Scope,
  { holdId, funding }: { holdId: string; funding: FundingSource },
): Promise<Hold> {
  const unlocked = await findHold(tx, holdId);
  const role = unlocked && (await findRoleAt(tx, unlocked.jobId, scope.actor.accountId));
  if (!unlocked || !role) throw new AppError('payment/not-found');
  if (!canPayHolds(role)) throw new AppError('payment/not-allowed');
  const locked = await lockForOffer(tx, scope, holdId);
  const { status, payBy } = locked?.hold ?? unlocked;
  if (status === 'held') return getHold(tx, scope, { holdId });
  const now = scope.clock.now();
  const isUnpaid = status === 'authorising' && payBy !== null && payBy > now && locked?.offer.canBeSent;
  const isEarly = locked !== null && isPlanned(locked.hold) && now < locked.hold.fundBy;
  if (!locked || !(isUnpaid || isEarly)) throw new AppError('payment/wrong-state', { status });
  const { offerId, offer, hold } = locked;
  const fundingSource = await chooseFunding(tx, {
    businessId: hold.businessId,
    amountMinor: hold.payMinor + hold.feeMinor,
    currency: hold.currency,
    funding,
  });
  if (fundingSource.from === 'balance') {
    await cancelChargeOf(tx, scope, holdId, 'hold');
    await holdFromBalance(tx, scope, [hold]);
    if (!isEarly) await moneyHooks.on.offerPaid(tx, scope, offerId);
  } else {
    const last = await lastChargeOf(tx, holdId);
    if (last && isBeingAsked(last)) return getHold(tx, scope, { holdId });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    const { cardId, inApp } = fundingSource;
    const { description, page } = offer;
    await holdFromCard(tx, scope, hold, { cardId, inApp, description, page });
  }
  return getHold(tx, scope, { holdId });
}

/**
 * Sets the planned pay of booked work aside early, as `payHold` does. It is owed, so a suspension from hiring does
 * not refuse it. For recruiters of the business.
 * @throws payment/wrong-state (data: status) unless the hold belongs to booked work, and as `payHold`
 */
async function payBookedHold(
  tx: Tx,
  scope: Scope,
  request: { holdId: string; funding: FundingSource },
): Promise<Hold> {
  const row = await findHold(tx, request.holdId);
  const role = row && (await findRoleAt(tx, row.jobId, scope.actor.accountId));
  if (row && role && row.engagementId === null)
    throw new AppError('payment/wrong-state', { status: row.status });
  return payHold(tx, scope, request);
}

/** Puts a successful charge into its hold and sends the offer; `balance` if the hold has ended. */
export async function settlePaidHold(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  charge: PaidCharge,
): Promise<Landed> {
  const locked = await lockForOffer(tx, scope, holdId);
  if (locked?.hold.status !== 'authorising') return 'balance';
  const { offerId, offer, hold } = locked;
  if (charge.amountMinor !== hold.payMinor + hold.feeMinor || charge.currency !== hold.currency)
    return 'balance';
  const wasPlanned = isPlanned(hold);
  if (!wasPlanned && !offer.canBeSent) {
    await moneyHooks.on.offerUnpaid(tx, scope, offerId);
    return 'balance';
  }
  await fundFromCharge(tx, scope, hold, charge);
  crashPoint('fund/posted');
  await markHeld(tx, scope, [hold], 'card');
  await cancelChargeOf(tx, scope, hold.id, 'hold');
  if (!wasPlanned) await moneyHooks.on.offerPaid(tx, scope, offerId);
  crashPoint('fund/sent');
  return 'subject';
}

/** A bank debit under way can't be stopped, so the hold waits for it as long as its offer can be sent. */
const isDebited = (charge: Charge | null): boolean =>
  charge?.status === 'processing' && methodKind(charge.cardBrand) === 'debit';

/** Ends a checkout that was not paid within 15 minutes (product.md, Constants). Idempotent. */
async function endCheckout(scope: TaskScope, holdId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const locked = await lockForOffer(tx, scope, holdId);
    if (locked?.hold.status !== 'authorising') return;
    const { offerId, offer, hold } = locked;
    let { payBy } = hold;
    const now = scope.clock.now();
    const isAwaited = offer.canBeSent || isPlanned(hold);
    if (payBy !== null && payBy <= now && isAwaited && isDebited(await lastChargeOf(tx, holdId))) {
      payBy = addMs(now, dayMs);
      await updateHold(tx, hold, { payBy });
    }
    if (payBy !== null && payBy > now && isAwaited)
      return enqueue(tx, checkoutTask, { holdId }, { runAt: payBy, key: checkoutKey(holdId) });
    if (isPlanned(hold)) {
      await moveHold(tx, scope, hold, { action: 'postpone', changes: { payBy: null, source: null } });
      await cancelChargeOf(tx, scope, holdId, 'hold');
      return setFundTimer(tx, hold, now);
    }
    await moveHold(tx, scope, hold, { action: 'expire', changes: { payBy: null } });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    if (offer.status === 'unpaid') await moneyHooks.on.offerUnpaid(tx, scope, offerId);
  });
}

/** Ends checkouts overdue since a time, and funds planned holds overdue since then whose task was lost. */
export async function reconcileCheckouts(scope: TaskScope, since: Date): Promise<void> {
  for (const { id } of await findOverdueCheckouts(scope.db, since, 1_000))
    await repair(scope, `checkout ${id}`, () => endCheckout(scope, id));
  for (const { id } of await findLostPlans(scope.db, {
    taskName: fundTask.name,
    before: since,
    limit: 1_000,
  }))
    await repair(scope, `planned hold ${id}`, () => fundPlanned(scope, id));
}

/** Anyone who hires may pay a hold. Finance pays bills but approves nothing. */
const canPayHolds = (role: MemberRole): boolean => roleMay(role, 'spend');

/** Returns a hold to members of its business. */
async function getHold(db: Db, scope: Scope, { holdId }: { holdId: string }): Promise<Hold> {
  const row = await findHold(db, holdId);
  if (!row || (await findRoleAt(db, row.jobId, scope.actor.accountId)) === null)
    throw new AppError('payment/not-found');
  return toHold(db, row);
}

export async function holdOfOffer(db: Db, offerId: string): Promise<Hold | null> {
  const row = await findHoldOf(db, { offerId });
  return row ? toHold(db, row) : null;
}

async function toHold(db: Db, row: HoldRow): Promise<Hold> {
  return {
    ...row,
    amountMinor: row.payMinor + row.feeMinor + row.addedMinor,
    remainingMinor: await remainingOf(db, row),
    payBy: row.payBy?.toISOString() ?? null,
    fundAt: row.fundAt?.toISOString() ?? null,
    fundBy: row.fundBy?.toISOString() ?? null,
    charge: await lastChargeOf(db, row.id),
  };
}

export const holdsRoutes = {
  get: read(holds.get, getHold),
  pay: write(holds.pay, payHold),
  payBooked: write(holds.payBooked, payBookedHold),
};

export const holdsTasks = [checkoutTask, fundTask];
