import { addMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { Tx } from '../../platform/db.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { defaultCardOf } from '../cards/cards.ts';
import { cancelChargeOf, lastChargeOf } from '../charges/charges.ts';
import { type LateFunding, type MoneyScope, moneyHooks, type OfferToPay } from '../hooks.ts';
import { holdFromBalance, holdFromCard, lockForOffer } from './checkouts.ts';
import { tryHold } from './hold-entries.ts';
import { isPlanned, type PlannedHold, setFundTimer } from './hold-transitions.ts';

/** Hours between attempts to fund a planned hold. */
const retryHours = 6;

/** Hours between charges of the card of a planned hold. */
const cardHours = 24;

/**
 * Funds a planned hold from the balance or by a charge of the default card, until it succeeds. At the deadline only
 * the balance counts, and without it the offer or booking ends (ADR 399). Idempotent.
 */
export async function fundPlanned(scope: TaskScope, holdId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const locked = await lockForOffer(tx, scope, holdId);
    if (!locked || !isPlanned(locked.hold)) return;
    const { offerId, offer, hold } = locked;
    const now = scope.clock.now();
    if (now < hold.fundAt) return setFundTimer(tx, holdId, hold.fundAt);
    const isPaying = hold.status === 'authorising';
    if (now >= hold.fundBy) {
      if (isPaying) await cancelChargeOf(tx, scope, holdId, 'hold');
      if (await payFromBalance(tx, scope, hold)) return;
      return moneyHooks.on.fundingLate(tx, scope, lateFunding(hold, offerId, 'over'));
    }
    const warnAt = subtractMs(hold.fundBy, scope.config.FUND_WARN_HOURS * hourMs);
    const attempts = [addMs(now, retryHours * hourMs), warnAt, hold.fundBy].filter((time) => time > now);
    await setFundTimer(tx, holdId, new Date(Math.min(...attempts.map(Number))));
    if (!isPaying && (await payFromBalance(tx, scope, hold))) return;
    if (!isPaying && (await chargePlanned(tx, scope, hold, offer))) return;
    // A payment under way may still succeed, so it delays the first notice, but not the warning.
    if (now >= warnAt) await moneyHooks.on.fundingLate(tx, scope, lateFunding(hold, offerId, 'soon'));
    else if (!isPaying) await moneyHooks.on.fundingLate(tx, scope, lateFunding(hold, offerId, 'failed'));
  });
}

/** Returns false, with nothing written, if the balance is too low. */
const payFromBalance = async (tx: Tx, scope: MoneyScope, hold: PlannedHold): Promise<boolean> =>
  (await tryHold(tx, () => holdFromBalance(tx, scope, [hold]))) !== null;

const lateFunding = (hold: PlannedHold, offerId: string, stage: LateFunding['stage']): LateFunding => ({
  stage,
  offerId,
  engagementId: hold.engagementId,
  holdId: hold.id,
  amountMinor: hold.payMinor + hold.feeMinor,
  currency: hold.currency,
  fundBy: hold.fundBy,
});

/**
 * Charges the default card for a planned hold, at most once a day. Stops `CHECKOUT_MINUTES` before the deadline, so that
 * the payment can be finished in time.
 * Returns false if there is nothing to charge.
 */
async function chargePlanned(
  tx: Tx,
  scope: MoneyScope,
  hold: PlannedHold,
  offer: OfferToPay,
): Promise<boolean> {
  if (addMs(scope.clock.now(), scope.config.CHECKOUT_MINUTES * minuteMs) > hold.fundBy) return false;
  const last = await lastChargeOf(tx, hold.id);
  const isRecent = last && subtractMs(scope.clock.now(), cardHours * hourMs) < new Date(last.createdAt);
  const card = isRecent ? null : await defaultCardOf(tx, hold.businessId);
  if (!card) return false;
  const { description, page } = offer;
  const charge = { cardId: card.id, description, page };
  return (await tryHold(tx, () => holdFromCard(tx, scope, hold, charge))) !== null;
}
