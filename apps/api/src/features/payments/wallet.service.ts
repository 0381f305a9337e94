import type { Currency } from '@nearhand/contract/money';
import type { FundingSource } from '@nearhand/contract/payments';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { balanceOf, balancesOf } from '../ledger/ledger.service.ts';
import { defaultCardOf, demandCard } from './cards.service.ts';
import { hasMoneyUnderWay } from './wallet.sql.ts';

/**
 * Where the money of a hold, a tip or a shortage comes from: what was chosen, or the balance where it suffices, else the default card. The caller has checked who may
 * spend. A balance that suffices now may be spent by another until it is taken: the ledger then refuses (`LedgerShort`).
 * @param wish `amountMinor` in minor units of `currency`
 * @throws payment/balance-short with `balanceMinor` and `missingMinor`, payment/card-not-found, payment/method-missing where neither balance nor card is there
 */
export async function chooseFunding(
  tx: Tx,
  wish: { businessId: string; amountMinor: number; currency: Currency; funding?: FundingSource | undefined },
): Promise<FundingSource> {
  const { businessId, amountMinor, currency, funding } = wish;
  if (funding?.from === 'card') {
    const card = await demandCard(tx, businessId, funding.cardId);
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

/** Whether a business holds money, on its balance or in a hold, or has some under way to or from a card; it cannot be closed then. */
export async function hasMoney(db: Db, businessId: string): Promise<boolean> {
  const balances = await balancesOf(db, [{ kind: 'business_balance', ownerId: businessId }]);
  return balances.some(({ amountMinor }) => amountMinor !== 0) || (await hasMoneyUnderWay(db, businessId));
}
