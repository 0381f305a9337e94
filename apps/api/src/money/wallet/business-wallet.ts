import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { addDays, addMs, dayIn, dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Charge } from '@nearhand/contract/money/charges';
import { fromReferenceMinor, referenceMinor } from '@nearhand/contract/money/reference-rates';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { requireMay } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cardsOf, requireCard } from '../cards/cards.ts';
import { startCharge, viewCharge } from '../charges/charges.ts';
import { canManageMoney, requireMoneyRole } from '../money-access.ts';
import { findMoneyPlace, lockOpen, recentTopUps, type WalletRow, walletRows } from './wallet.ts';

/**
 * Tops up a business's balance from a saved card. For owners, managers and finance. Minor units. Daily limit:
 * ADR 203.
 */
export async function topUp(
  tx: Tx,
  scope: Scope,
  request: { businessId: string; amountMinor: number; currency: Currency; cardId: string; returnTo?: string },
): Promise<Charge> {
  await requireMoneyRole(tx, scope.actor.accountId, request.businessId);
  const status = await lockOpen(tx, request.businessId);
  if (status === 'closed') throw new AppError('business/wrong-state', { status });
  await requireCard(tx, request.businessId, request.cardId);
  await requireWithinDailyLimit(tx, scope, { ...request, verified: status === 'verified' });
  const { chargeId } = await startCharge(tx, scope, {
    ...request,
    purpose: 'top_up',
    subjectId: null,
    description: 'Nearhand balance',
    returnPath: request.returnTo ?? '/merchant-transaction',
  });
  return viewCharge(tx, chargeId);
}

/**
 * The caller has locked the business, so concurrent top-ups are counted in turn.
 * @throws payment/top-up-limit
 */
async function requireWithinDailyLimit(
  tx: Tx,
  { clock, config }: Scope,
  request: { businessId: string; currency: Currency; amountMinor: number; verified: boolean },
): Promise<void> {
  const { businessId, currency, amountMinor, verified } = request;
  const now = clock.now();
  const perDayEuroMinor = verified ? config.TOP_UP_DAY_VERIFIED_MINOR : config.TOP_UP_DAY_MINOR;
  const recent = await recentTopUps(tx, businessId, subtractMs(now, dayMs));
  const usedEuroMinor = sumOf(recent, (charge) => referenceMinor(charge.amountMinor, charge.currency));
  if (usedEuroMinor + referenceMinor(amountMinor, currency) <= perDayEuroMinor) return;
  const oldest = recent[0]?.createdAt ?? now;
  throw new AppError('payment/top-up-limit', {
    perDayMinor: fromReferenceMinor(perDayEuroMinor, currency),
    leftMinor: fromReferenceMinor(Math.max(0, perDayEuroMinor - usedEuroMinor), currency),
    currency,
    verified,
    from: addMs(oldest, recent.length === 0 ? 0 : dayMs).toISOString(),
  });
}

/** Returns balance, holds and cards of a business to its members, except coordinators. Minor units. */
export async function getWallet(db: Db, scope: Scope, { businessId }: { businessId: string }) {
  const role = await requireMay(db, businessId, scope.actor.accountId, 'view-money');
  const place = await findMoneyPlace(db, businessId);
  if (!place) throw new AppError('business/not-found');
  const rows = await walletRows(db, businessId, monthBegan(place.timeZone, scope.clock.now()));
  const ownBalance = rows.find(({ currency }) => currency === place.currency) ?? emptyWallet(place.currency);
  const otherBalances = rows.filter((row) => row.currency !== place.currency && hasMoney(row));
  return {
    balances: [ownBalance, ...otherBalances].map((row) => ({
      currency: row.currency,
      availableMinor: row.available,
      promoMinor: row.promo,
      heldMinor: row.held,
      holds: row.holds,
      plannedMinor: row.planned,
      plannedHolds: row.plans,
      plannedFrom: row.plannedFrom?.toISOString() ?? null,
      waitingMinor: row.waiting,
      paidThisMonthMinor: row.paid,
      owedMinor: row.owed,
    })),
    cards: await cardsOf(db, businessId),
    tokenUrl: scope.provider.tokenUrl,
    bankMethods: [...(scope.provider.pages?.bankMethods ?? [])],
    test: scope.provider.name === 'sandbox',
    canManage: canManageMoney(role),
  };
}

function monthBegan(timeZone: string, now: Date): Date {
  const firstDay = `${dayIn(timeZone, now).slice(0, 7)}-01`;
  return new Date(dayEndsAt(timeZone, addDays(firstDay, -1)));
}

const emptyWallet = (currency: Currency): WalletRow => ({
  currency,
  available: 0,
  promo: 0,
  held: 0,
  holds: 0,
  planned: 0,
  plans: 0,
  plannedFrom: null,
  waiting: 0,
  paid: 0,
  owed: 0,
});

const hasMoney = ({ currency, ...figures }: WalletRow): boolean =>
  Object.values(figures).some((figure) => figure !== 0 && figure !== null);
