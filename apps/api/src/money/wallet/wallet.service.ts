import type { Currency } from '@nearhand/contract/money';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { defaultCardOf, requireCard } from '../cards/cards.service.ts';
import { balanceOf, balancesOf, type LedgerScope, postEntry } from '../ledger/ledger.service.ts';
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
    /** A tip or bonus: credit does not pay it, because it would be a worker's money without any work. */
    forTip?: boolean;
  },
): Promise<FundingSource> {
  const { businessId, amountMinor, currency, funding, forTip = false } = request;
  if (funding?.from === 'card') {
    const card = await requireCard(tx, businessId, funding.cardId);
    return { from: 'card', cardId: card.id };
  }
  const balanceMinor = await (forTip ? paidBalance : businessBalance)(tx, businessId, currency);
  if (balanceMinor >= amountMinor) return { from: 'balance' };
  const lack = { balanceMinor, missingMinor: amountMinor - balanceMinor, currency };
  if (funding?.from === 'balance') throw new AppError('payment/balance-short', lack);
  const card = await defaultCardOf(tx, businessId);
  if (!card) throw new AppError('payment/method-missing', lack);
  return { from: 'card', cardId: card.id };
}

/** What a business paid in and can spend or have refunded in a currency, in minor units. */
export const paidBalance = (db: Db, businessId: string, currency: Currency): Promise<number> =>
  balanceOf(db, { kind: 'business_balance', ownerId: businessId }, currency);

/** The promotional credit of a business in a currency: spent first, on work only, never refunded (ADR 155). Minor units. */
export const promoOf = (db: Db, businessId: string, currency: Currency): Promise<number> =>
  balanceOf(db, { kind: 'business_promo', ownerId: businessId }, currency);

/** What a business can spend on work in a currency, in minor units: its balance and its promotional credit. */
export async function businessBalance(db: Db, businessId: string, currency: Currency): Promise<number> {
  const balances = await balancesOf(db, [
    { kind: 'business_balance', ownerId: businessId },
    { kind: 'business_promo', ownerId: businessId },
  ]);
  return balances.reduce((sum, row) => sum + (row.currency === currency ? row.amountMinor : 0), 0);
}

/** For a business that closes: unused promotional credit is the platform's again. Minor units stay out of its balance throughout. */
export async function endPromo(tx: Tx, scope: LedgerScope, businessId: string): Promise<void> {
  for (const { account, currency, amountMinor } of await balancesOf(tx, [
    { kind: 'business_promo', ownerId: businessId },
  ]))
    if (amountMinor > 0)
      await postEntry(tx, scope, {
        key: `promo-ended/${businessId}/${currency}`,
        kind: 'promo_ended',
        currency,
        about: businessId,
        lines: [
          { account, amountMinor: -amountMinor },
          { account: { kind: 'platform_marketing' }, amountMinor },
        ],
      });
}

/** Whether a business has money on its balance, in a hold or on its way to or from a card; it can't be closed then. Promotional credit does not count. */
export async function hasMoney(db: Db, businessId: string): Promise<boolean> {
  const balances = await balancesOf(db, [{ kind: 'business_balance', ownerId: businessId }]);
  return balances.some(({ amountMinor }) => amountMinor !== 0) || (await hasMoneyUnderWay(db, businessId));
}
