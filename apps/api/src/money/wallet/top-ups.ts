import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import type { Charge } from '@nearhand/contract/money/charges';
import { fromReferenceMinor, referenceMinor } from '@nearhand/contract/money/reference-rates';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireCard, requireTreasurer } from '../cards/cards.ts';
import { startCharge, viewCharge } from '../charges/charges.ts';
import { lockOpen, recentTopUps } from './wallet.ts';

/**
 * Tops up a business's balance from a saved card. For owners, managers and finance. Minor units. Daily limit: ADR 203.
 * @throws business/not-found, business/not-allowed, business/wrong-state, payment/top-up-limit (data: leftMinor, …),
 * payment/card-not-found
 */
export async function topUp(
  tx: Tx,
  scope: Scope,
  request: { businessId: string; amountMinor: number; currency: Currency; cardId: string; returnTo?: string },
): Promise<Charge> {
  await requireTreasurer(tx, scope.actor.accountId, request.businessId);
  const status = await lockOpen(tx, request.businessId);
  if (status === 'closed') throw new AppError('business/wrong-state', { status });
  await requireCard(tx, request.businessId, request.cardId);
  await requireRoom(tx, scope, { ...request, verified: status === 'verified' });
  const { chargeId } = await startCharge(tx, scope, {
    ...request,
    purpose: 'top_up',
    subjectId: null,
    description: 'Nearhand balance',
    returnPath: request.returnTo ?? '/merchant-transaction',
  });
  return viewCharge(tx, chargeId);
}

/** The caller has locked the business, so concurrent top-ups are counted in turn. @throws payment/top-up-limit */
async function requireRoom(
  tx: Tx,
  { clock, config }: Scope,
  asked: { businessId: string; currency: Currency; amountMinor: number; verified: boolean },
): Promise<void> {
  const { businessId, currency, amountMinor, verified } = asked;
  const now = clock.now();
  const perDayEuroMinor = verified ? config.TOP_UP_DAY_VERIFIED_MINOR : config.TOP_UP_DAY_MINOR;
  const recent = await recentTopUps(tx, businessId, new Date(now.getTime() - dayMs));
  const usedEuroMinor = recent.reduce(
    (sum, charge) => sum + referenceMinor(charge.amountMinor, charge.currency),
    0,
  );
  if (usedEuroMinor + referenceMinor(amountMinor, currency) <= perDayEuroMinor) return;
  const oldest = recent[0]?.createdAt ?? now;
  throw new AppError('payment/top-up-limit', {
    perDayMinor: fromReferenceMinor(perDayEuroMinor, currency),
    leftMinor: fromReferenceMinor(Math.max(0, perDayEuroMinor - usedEuroMinor), currency),
    currency,
    verified,
    from: new Date(oldest.getTime() + (recent.length === 0 ? 0 : dayMs)).toISOString(),
  });
}
