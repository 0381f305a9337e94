import type { Currency } from '@nearhand/contract/money';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { defaultCardOf, requireCard } from '../cards/cards.service.ts';
import { balanceOf, balancesOf } from '../ledger/ledger.service.ts';
import { hasMoneyUnderWay } from './wallet.sql.ts';

/**
 * Picks where money comes from: the choice given, or the balance if it covers the amount, or the default card. The caller has checked who may spend. The
 * balance may be spent concurrently; then the ledger refuses (`LedgerShort`).
 * @param request `amountMinor` in minor units of `currency`
 * @throws payment/balance-short with `balanceMinor` and `missingMinor`, payment/card-not-found, payment/method-missing where neither balance nor card is there /
 */
export async function chooseFunding(
  tx: Tx,
  request: {
    businessId: string;
    amountMinor: number;
    currency: Currency;
    funding?: FundingSource | undefined;
  },
): Promise<FundingSource> {
  const { businessId, amountMinor, currency, funding } = request;
  if (funding?.from === 'card') {
    const card = await requireCard(tx, businessId, funding.cardId);
    return { from: 'card', cardId: card.id };
  }
  const balanceMinor = await businessBalance(tx, businessId, currency);
  if (balanceMinor >= amountMinor) return { from: 'balance' };
  const lack = { balanceMinor, missingMinor: amountMinor - balanceMinor, currency };
  if (funding?.from === 'balance') throw new AppError('payment/balance-short', lack);
  const card = await defaultCardOf(tx, businessId);
  if (!card) throw new AppError('payment/method-missing', lack);
  return { from: 'card', cardId: card.id };
}

/** What a business can spend in a currency, in minor units. */
export const businessBalance = (db: Db, businessId: string, currency: Currency): Promise<number> =>
  balanceOf(db, { kind: 'business_balance', ownerId: businessId }, currency);

/** Whether a business has money on its balance, in a hold or on its way to or from a card; it can't be closed then. */
export async function hasMoney(db: Db, businessId: string): Promise<boolean> {
  const balances = await balancesOf(db, [{ kind: 'business_balance', ownerId: businessId }]);
  return balances.some(({ amountMinor }) => amountMinor !== 0) || (await hasMoneyUnderWay(db, businessId));
}
