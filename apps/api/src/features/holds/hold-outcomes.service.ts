import type { Db, Tx } from '../../platform/db.ts';
import { step } from '../../platform/steps.ts';
import { enqueue, type TaskScope } from '../../platform/tasks.ts';
import {
  canStillBeSent,
  endUnpaidOffer,
  lockOfferOf,
  sendPaidOffer,
} from '../offers/unpaid-offers.service.ts';
import { cancelChargeOf } from '../payments/charges.service.ts';
import { checkout, checkoutKey } from './holds.clock.ts';
import { fundFromCharge, type MoneyScope, markHeld, moveHold } from './holds.service.ts';
import { findHold, findOverdueCheckouts, lockHold } from './holds.sql.ts';

type PaidCharge = { id: string; amountMinor: number; currency: string };

/** A hold and the offer it is for, both locked after the job; null where there is none. */
async function lockForOffer(tx: Tx, holdId: string) {
  const found = await findHold(tx, holdId);
  if (!found?.offer_id) return null;
  const offer = await lockOfferOf(tx, found.offer_id);
  const hold = await lockHold(tx, { holdId });
  return offer && hold ? { offer, hold } : null;
}

/**
 * For the outcome of a charge: its money goes into the hold and the offer goes out. `balance` where the hold is over by then (it ran out, the offer was
 * withdrawn, it was paid another way); the caller then puts the money there.
 */
export async function holdPaid(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  charge: PaidCharge,
): Promise<'subject' | 'balance'> {
  const both = await lockForOffer(tx, holdId);
  if (both?.hold.status !== 'authorising') return 'balance';
  const { offer, hold } = both;
  if (charge.amountMinor !== hold.pay_minor + hold.fee_minor || charge.currency !== hold.currency)
    return 'balance';
  if (!(await canStillBeSent(tx, scope, offer))) {
    await endUnpaidOffer(tx, scope, offer);
    return 'balance';
  }
  await fundFromCharge(tx, scope, hold, charge);
  step('fund/posted');
  await markHeld(tx, scope, [hold], 'card');
  // One that was given up for another, and came all the same: the other must not take the money once more.
  await cancelChargeOf(tx, scope, hold.id, 'hold');
  await sendPaidOffer(tx, scope, offer);
  step('fund/sent');
  return 'subject';
}

/**
 * For the runner: ends a checkout that was not paid in time (product.md, Constants: 15 min): hold and offer expire, the seat is free, and the provider is asked to
 * stop what is under way. Money that comes all the same lands in the balance. Too early it sets itself again; run again it does nothing.
 */
export async function runCheckoutEnd(scope: TaskScope, holdId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const both = await lockForOffer(tx, holdId);
    if (both?.hold.status !== 'authorising') return;
    const { offer, hold } = both;
    const { pay_by: payBy } = hold;
    // Whoever turned the applicant down meanwhile wants the seat back now.
    if (payBy !== null && payBy > scope.clock.now() && (await canStillBeSent(tx, scope, offer)))
      return enqueue(tx, checkout, { holdId }, { runAt: payBy, key: checkoutKey(holdId) });
    await moveHold(tx, scope, hold, 'expire', { pay_by: null });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    if (offer.status === 'funding') await endUnpaidOffer(tx, scope, offer);
  });
}

/** For reconciliation: checkouts that ended before a moment and whose task was lost; `runCheckoutEnd` ends each. */
export const overdueCheckouts = (db: Db, before: Date): Promise<{ id: string }[]> =>
  findOverdueCheckouts(db, before, 1_000);
