import { engagementPath, handOverPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, minuteMs } from '@nearhand/contract/durations';
import { methodKind } from '@nearhand/contract/money/cards.rules';
import type { Charge } from '@nearhand/contract/money/charges';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Tx } from '../../platform/db.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import {
  cancelChargeOf,
  type Landed,
  lastChargeOf,
  type PaidCharge,
  startCharge,
} from '../charges/charges.ts';
import { type MoneyScope, moneyHooks, type OfferToPay } from '../hooks.ts';
import { fundFromBalance, fundFromCharge, refuseShort } from './hold-entries.ts';
import {
  cancelHoldTimers,
  isPlanned,
  moveHold,
  ownerOf,
  setCheckoutTimer,
  setFundTimer,
} from './hold-transitions.ts';
import { findHold, findUnpaidHolds, type HoldRow, lockHold, updateHold } from './holds.sql.ts';

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
  if (!isFunded) return refuseShort(tx, scope, { businessId, amountMinor, currency });
  crashPoint('fund/posted');
  return markHeld(tx, scope, rows, 'balance');
}

async function markHeld(
  tx: Tx,
  scope: MoneyScope,
  rows: readonly HoldRow[],
  source: 'balance' | 'card',
): Promise<HoldRow[]> {
  const heldRows: HoldRow[] = [];
  for (const row of rows) {
    await cancelHoldTimers(tx, row);
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
    await setCheckoutTimer(tx, row.id, payBy);
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

type HoldOfOffer = { offerId: string; offer: OfferToPay; hold: HoldRow };

/** Locks a hold that has an offer, after the offer and its booking (ADR 38). */
export async function lockForOffer(tx: Tx, scope: MoneyScope, holdId: string): Promise<HoldOfOffer | null> {
  const unlocked = await findHold(tx, holdId);
  let offerId = unlocked?.offerId;
  if (!unlocked || !offerId) return null;
  let offer = await moneyHooks.needs.lockOffer(tx, scope, offerId);
  if (isPlanned(unlocked)) {
    // Its job is locked now, so that nobody is hired or takes the shift over in between.
    const owner = await findHold(tx, holdId);
    if (owner?.offerId && owner.offerId !== offerId) {
      offerId = owner.offerId;
      offer = await moneyHooks.needs.lockOffer(tx, scope, offerId);
    }
    if (owner?.engagementId) await moneyHooks.needs.lockWork(tx, scope, owner.engagementId);
  }
  const hold = await lockHold(tx, { holdId });
  if (!offer || !hold) return null;
  // The page of the applicant shows no payment of a worker who is booked already.
  const page = hold.engagementId ? engagementPath(hold.engagementId, 'business') : offer.page;
  return { offerId, offer: { ...offer, page }, hold };
}

/** Puts a successful charge into its hold and sends the offer; `balance` if the hold has ended. */
export async function applyHoldCharge(
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

/** A bank debit under way can't be stopped, so the hold stays open as long as its offer can be sent. */
const isDebited = (charge: Charge | null): boolean =>
  charge?.status === 'processing' && methodKind(charge.cardBrand) === 'debit';

/** Ends a checkout that was not paid within 15 minutes (product.md, Constants). Idempotent. */
export async function endCheckout(scope: TaskScope, holdId: string): Promise<void> {
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
    if (payBy !== null && payBy > now && isAwaited) return setCheckoutTimer(tx, holdId, payBy);
    if (isPlanned(hold)) {
      await moveHold(tx, scope, hold, { action: 'postpone', changes: { payBy: null, source: null } });
      await cancelChargeOf(tx, scope, holdId, 'hold');
      return setFundTimer(tx, holdId, now);
    }
    await moveHold(tx, scope, hold, { action: 'expire', changes: { payBy: null } });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    if (offer.status === 'unpaid') await moneyHooks.on.offerUnpaid(tx, scope, offerId);
  });
}

/** Queues the work, because this transaction has locked the application and must not wait for the job (ADR 38). */
export async function endCheckoutsSoon(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  for (const { id } of await findUnpaidHolds(tx, applicationIds)) await setCheckoutTimer(tx, id);
}
