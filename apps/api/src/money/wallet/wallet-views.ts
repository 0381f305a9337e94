import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayEndsAt, dayIn } from '../../platform/zoned-day.ts';
import { canManageMoney, cardsOf, requireMember } from '../cards/cards.ts';
import { findMoneyPlace, type WalletRow, walletRows } from './wallet.ts';

/** Returns balance, holds and cards of a business to its members. Minor units. @throws business/not-found */
export async function getWallet(db: Db, scope: Scope, { businessId }: { businessId: string }) {
  const role = await requireMember(db, scope.actor.accountId, businessId);
  const place = await findMoneyPlace(db, businessId);
  if (!place) throw new AppError('business/not-found');
  const rows = await walletRows(db, businessId, monthBegan(place.timeZone, scope.clock.now()));
  const ownBalance = rows.find(({ currency }) => currency === place.currency) ?? nothing(place.currency);
  const otherBalances = rows.filter((row) => row.currency !== place.currency && hasAnything(row));
  return {
    balances: [ownBalance, ...otherBalances].map((row) => ({
      currency: row.currency,
      availableMinor: row.available,
      promoMinor: row.promo,
      heldMinor: row.held,
      holds: row.holds,
      waitingMinor: row.waiting,
      paidThisMonthMinor: row.paid,
      owedMinor: row.owed,
    })),
    cards: await cardsOf(db, businessId),
    tokenUrl: scope.provider.tokenUrl,
    test: scope.provider.name === 'sandbox',
    canManage: canManageMoney(role),
  };
}

function monthBegan(timeZone: string, now: Date): Date {
  const first = Date.parse(`${dayIn(timeZone, now).slice(0, 7)}-01T00:00:00Z`);
  const lastDay = new Date(first - dayMs).toISOString().slice(0, 10);
  return new Date(dayEndsAt(timeZone, lastDay));
}

const nothing = (currency: Currency): WalletRow => ({
  currency,
  available: 0,
  promo: 0,
  held: 0,
  holds: 0,
  waiting: 0,
  paid: 0,
  owed: 0,
});

const hasAnything = ({ currency, ...figures }: WalletRow): boolean =>
  Object.values(figures).some((figure) => figure !== 0);
