import type { Currency } from '@nearhand/contract/money';
import type { Charge } from '@nearhand/contract/money/charges';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireTreasurer } from '../cards/payers.service.ts';
import { startCharge, viewCharge } from '../charges/charges.service.ts';
import { holdOpen } from './wallet.sql.ts';

/**
 * Adds money to the balance of a business from a saved card; owners, managers and finance. Returns the new charge, which settles by itself.
 * @param request `amountMinor` in minor units of `currency`
 * @throws business/not-found, business/not-allowed, business/wrong-state once it is closed, payment/card-not-found /
 */
export async function topUp(
  tx: Tx,
  scope: Scope,
  request: { businessId: string; amountMinor: number; currency: Currency; cardId: string; returnTo?: string },
): Promise<Charge> {
  await requireTreasurer(tx, scope.actor.accountId, request.businessId);
  const status = await holdOpen(tx, request.businessId);
  if (status === 'closed') throw new AppError('business/wrong-state', { status });
  const { chargeId } = await startCharge(tx, scope, {
    ...request,
    purpose: 'top_up',
    subjectId: null,
    description: 'Nearhand balance',
    returnPath: request.returnTo ?? '/merchant-transaction',
  });
  return viewCharge(tx, chargeId);
}
