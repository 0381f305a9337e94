import type { Mover } from '@nearhand/contract/moves';
import type { BusinessStatus } from '@nearhand/contract/people/businesses';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { type BusinessMoveName, nextBusinessStatus, restoreMoves } from './businesses.rules.ts';
import { insertBusinessMove, lockBusiness, updateBusinessStatus } from './businesses.sql.ts';

/** Who acts: an account as merchant, or an operator by name. */
export type BusinessMover = { id: string; as: Mover };

/**
 * Applies a transition by the rules and logs it. Idempotent.
 * @throws business/not-found, business/wrong-state
 */
export async function moveBusiness(
  tx: Tx,
  mover: BusinessMover,
  now: Date,
  businessId: string,
  action: BusinessMoveName,
  reason: string | null = null,
): Promise<BusinessStatus> {
  const business = await lockBusiness(tx, businessId);
  if (!business) throw new AppError('business/not-found');
  const to = nextBusinessStatus(business.status, action, mover.as);
  if (to === null) throw new AppError('business/wrong-state', { status: business.status });
  if (to === business.status) return to;
  if (!(await updateBusinessStatus(tx, businessId, business.status, to, now)))
    throw new AppError('business/wrong-state');
  await insertBusinessMove(tx, {
    id: newId(now),
    business_id: businessId,
    actor: mover.id,
    action,
    from_status: business.status,
    to_status: to,
    reason,
    at: now,
  });
  return to;
}

/** For an operator: the move that ends a suspension, by the status before it; null where there is none. */
export const restoreMove = (before: BusinessStatus | null): BusinessMoveName | null =>
  (before && restoreMoves[before]) ?? null;
