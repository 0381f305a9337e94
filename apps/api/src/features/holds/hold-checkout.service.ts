import { applicantsPath } from '@nearhand/contract/app-paths';
import type { Hold } from '@nearhand/contract/holds';
import type { FundingSource } from '@nearhand/contract/payments';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { roleIn } from '../businesses/members.service.ts';
import { canStillBeSent, lockOfferOf, sendPaidOffer } from '../offers/unpaid-offers.service.ts';
import { cancelChargeOf, isBeingAsked, lastChargeOf } from '../payments/charges.service.ts';
import { chooseFunding } from '../payments/wallet.service.ts';
import { getHold } from './hold-views.service.ts';
import { canPayHolds } from './holds.policy.ts';
import { holdFromBalance, holdFromCard } from './holds.service.ts';
import { findHold, lockHold } from './holds.sql.ts';

/**
 * Pays a hold that waits for its money, with the balance or another card, while the checkout lasts; recruiters of the business may. A charge that was under way is
 * stopped; should it succeed all the same, its money lands in the balance. Asking the same card again while it is asked changes nothing, nor does paying what
 * is paid.
 * @throws payment/not-found, payment/not-allowed, payment/wrong-state (data: status), payment/balance-short (data: missingMinor, currency), payment/card-not-found,
 * payment/method-missing
 */
export async function payHold(
  tx: Tx,
  scope: Scope,
  { holdId, funding }: { holdId: string; funding: FundingSource },
): Promise<Hold> {
  const found = await findHold(tx, holdId);
  const role = found && (await roleIn(tx, found.business_id, scope.actor.accountId));
  if (!found || !role) throw new AppError('payment/not-found');
  if (!canPayHolds(role)) throw new AppError('payment/not-allowed');
  const offer = found.offer_id ? await lockOfferOf(tx, found.offer_id) : null;
  const hold = await lockHold(tx, { holdId });
  if (!hold) throw new AppError('payment/not-found');
  if (hold.status === 'held') return getHold(tx, scope, { holdId });
  const open = hold.status === 'authorising' && hold.pay_by !== null && hold.pay_by > scope.clock.now();
  if (!open || !offer || !(await canStillBeSent(tx, scope, offer)))
    throw new AppError('payment/wrong-state', { status: hold.status });
  const chosen = await chooseFunding(tx, {
    businessId: hold.business_id,
    amountMinor: hold.pay_minor + hold.fee_minor,
    currency: hold.currency,
    funding,
  });
  if (chosen.from === 'balance') {
    await cancelChargeOf(tx, scope, holdId, 'hold');
    await holdFromBalance(tx, scope, [hold]);
    await sendPaidOffer(tx, scope, offer);
  } else {
    const last = await lastChargeOf(tx, holdId);
    if (last && isBeingAsked(last)) return getHold(tx, scope, { holdId });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    await holdFromCard(tx, scope, hold, {
      cardId: chosen.cardId,
      description: `Pay set aside: ${offer.terms.title}`,
      returnPath: applicantsPath(offer.job_id, offer.application_id),
    });
  }
  return getHold(tx, scope, { holdId });
}
