import type { Currency } from '@nearhand/contract/currencies';
import type { Tx } from '../../platform/db.ts';
import { repaySoon } from '../credit-limits/credit-limits.ts';
import { type LedgerScope, postEntry } from '../ledger/ledger.ts';
import { type ChargeRow, lockCharge, updateCharge } from './charges.ts';

/** Puts a charge on the balance of its business: a top-up, or a charge whose subject has ended. */
export const postToBalance = async (
  tx: Tx,
  scope: LedgerScope,
  charge: {
    id: string;
    purpose: string;
    businessId: string;
    amountMinor: number;
    currency: Currency;
  },
): Promise<void> => {
  const { id, purpose, businessId, amountMinor, currency } = charge;
  await postEntry(tx, scope, {
    key: `${purpose === 'top_up' ? 'top-up' : 'late'}/${id}`,
    kind: 'top_up',
    currency,
    about: id,
    lines: [
      { account: { kind: 'provider_clearing' }, amountMinor: -amountMinor },
      { account: { kind: 'business_balance', ownerId: businessId }, amountMinor },
    ],
  });
  await repaySoon(tx, businessId);
};

/** Gives the business the money of a charge whose entry was reversed; it can be refunded to the card. */
export async function landOnBalance(tx: Tx, scope: LedgerScope, chargeId: string): Promise<void> {
  const row = (await lockCharge(tx, chargeId)) as ChargeRow;
  await postToBalance(tx, scope, {
    id: row.id,
    purpose: row.purpose,
    businessId: row.businessId,
    amountMinor: row.amountMinor,
    currency: row.currency,
  });
  await updateCharge(tx, chargeId, { landed: 'balance', updatedAt: scope.clock.now() });
}
