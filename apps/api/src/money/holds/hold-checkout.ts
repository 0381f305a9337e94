import type { MemberRole } from '@nearhand/contract/member-roles';
import { type Hold, holds } from '@nearhand/contract/money/holds';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import { step } from '../../platform/crash-points.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { repair } from '../../platform/tasks/repair.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import {
  cancelChargeOf,
  isBeingAsked,
  type Landed,
  lastChargeOf,
  type PaidCharge,
} from '../charges/charges.ts';
import { type MoneyScope, moneyHooks, type OfferToPay } from '../hooks.ts';
import { chooseFunding } from '../wallet/wallet.ts';
import { findHold, findHoldOf, findOverdueCheckouts, lockHold } from './holds.sql.ts';
import {
  checkout,
  checkoutKey,
  fundFromCharge,
  type HoldRow,
  holdFromBalance,
  holdFromCard,
  markHeld,
  moveHold,
  remainingOf,
} from './holds.ts';

async function lockForOffer(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
): Promise<{ offerId: string; offer: OfferToPay; hold: HoldRow } | null> {
  const offerId = (await findHold(tx, holdId))?.offerId;
  if (!offerId) return null;
  const offer = await moneyHooks.on.lockOffer(tx, scope, offerId);
  const hold = await lockHold(tx, { holdId });
  return offer && hold ? { offerId, offer, hold } : null;
}

/**
 * Pays an unpaid hold during the checkout, and stops a charge in progress. For recruiters of the business.
 * @throws payment/not-found, payment/not-allowed, payment/wrong-state, payment/balance-short, payment/card-not-found,
 * payment/method-missing
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
  const both = await lockForOffer(tx, scope, holdId);
  const { status, payBy } = both?.hold ?? unlocked;
  if (status === 'held') return getHold(tx, scope, { holdId });
  const open = status === 'authorising' && payBy !== null && payBy > scope.clock.now();
  if (!open || !both?.offer.canBeSent) throw new AppError('payment/wrong-state', { status });
  const { offerId, offer, hold } = both;
  const fundingSource = await chooseFunding(tx, {
    businessId: hold.businessId,
    amountMinor: hold.payMinor + hold.feeMinor,
    currency: hold.currency,
    funding,
  });
  if (fundingSource.from === 'balance') {
    await cancelChargeOf(tx, scope, holdId, 'hold');
    await holdFromBalance(tx, scope, [hold]);
    await moneyHooks.on.offerPaid(tx, scope, offerId);
  } else {
    const last = await lastChargeOf(tx, holdId);
    if (last && isBeingAsked(last)) return getHold(tx, scope, { holdId });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    const { description, returnPath } = offer;
    await holdFromCard(tx, scope, hold, { cardId: fundingSource.cardId, description, returnPath });
  }
  return getHold(tx, scope, { holdId });
}

/** Puts a successful charge into its hold and sends the offer; `balance` if the hold is over. */
export async function holdPaid(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  charge: PaidCharge,
): Promise<Landed> {
  const both = await lockForOffer(tx, scope, holdId);
  if (both?.hold.status !== 'authorising') return 'balance';
  const { offerId, offer, hold } = both;
  if (charge.amountMinor !== hold.payMinor + hold.feeMinor || charge.currency !== hold.currency)
    return 'balance';
  if (!offer.canBeSent) {
    await moneyHooks.on.offerUnpaid(tx, scope, offerId);
    return 'balance';
  }
  await fundFromCharge(tx, scope, hold, charge);
  step('fund/posted');
  await markHeld(tx, scope, [hold], 'card');
  await cancelChargeOf(tx, scope, hold.id, 'hold');
  await moneyHooks.on.offerPaid(tx, scope, offerId);
  step('fund/sent');
  return 'subject';
}

/** Ends a checkout that was not paid within 15 minutes (product.md, Constants). Idempotent. */
export async function runCheckoutEnd(scope: TaskScope, holdId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const both = await lockForOffer(tx, scope, holdId);
    if (both?.hold.status !== 'authorising') return;
    const { offerId, offer, hold } = both;
    const { payBy } = hold;
    if (payBy !== null && payBy > scope.clock.now() && offer.canBeSent)
      return enqueue(tx, checkout, { holdId }, { runAt: payBy, key: checkoutKey(holdId) });
    await moveHold(tx, scope, hold, 'expire', { payBy: null });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    if (offer.status === 'unpaid') await moneyHooks.on.offerUnpaid(tx, scope, offerId);
  });
}

export async function reconcileCheckouts(scope: TaskScope, since: Date): Promise<void> {
  for (const { id } of await findOverdueCheckouts(scope.db, since, 1_000))
    await repair(scope, `checkout ${id}`, () => runCheckoutEnd(scope, id));
}

/** Anyone who hires may pay a hold. Finance pays bills but approves nothing. */
const canPayHolds = (role: MemberRole): boolean => roleMay(role, 'spend');

/** Returns a hold to members of its business. @throws payment/not-found */
export async function getHold(db: Db, scope: Scope, { holdId }: { holdId: string }): Promise<Hold> {
  const row = await findHold(db, holdId);
  if (!row || (await findRoleAt(db, row.jobId, scope.actor.accountId)) === null)
    throw new AppError('payment/not-found');
  return asHold(db, row);
}

export async function holdOfOffer(db: Db, offerId: string): Promise<Hold | null> {
  const row = await findHoldOf(db, { offerId });
  return row ? asHold(db, row) : null;
}

async function asHold(db: Db, row: HoldRow): Promise<Hold> {
  return {
    ...row,
    amountMinor: row.payMinor + row.feeMinor + row.addedMinor,
    remainingMinor: await remainingOf(db, row),
    payBy: row.payBy?.toISOString() ?? null,
    charge: await lastChargeOf(db, row.id),
  };
}

export const holdsRoutes = {
  get: read(holds.get, getHold),
  pay: write(holds.pay, payHold),
};

export const holdsTasks = [
  defineTask({ ...checkout, queue: 'money', run: (scope, { holdId }) => runCheckoutEnd(scope, holdId) }),
];
