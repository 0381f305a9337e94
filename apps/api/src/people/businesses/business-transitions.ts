import type { Mover } from '@nearhand/contract/moves';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type BusinessMoveName, nextBusinessStatus, restoreMoves } from './businesses.rules.ts';
import { insertBusinessMove, lockBusiness, updateBusinessStatus } from './businesses.sql.ts';

export type BusinessMover = { id: string; as: Mover };

/**
 * Applies and logs a transition. Idempotent.
 * @throws business/not-found, business/wrong-state
 */
export async function moveBusiness(
  tx: Tx,
  scope: ClockScope,
  businessId: string,
  {
    action,
    mover,
    reason = null,
  }: { action: BusinessMoveName; mover: BusinessMover; reason?: string | null },
): Promise<BusinessStatus> {
  const business = await lockBusiness(tx, businessId);
  if (!business) throw new AppError('business/not-found');
  const to = nextBusinessStatus(business.status, action, mover.as);
  if (to === null) throw new AppError('business/wrong-state', { status: business.status });
  if (to === business.status) return to;
  const now = scope.clock.now();
  if (!(await updateBusinessStatus(tx, businessId, business.status, to, now)))
    throw new AppError('business/wrong-state');
  await insertBusinessMove(tx, {
    id: newId(now),
    businessId,
    actor: mover.id,
    action,
    fromStatus: business.status,
    toStatus: to,
    reason,
    at: now,
  });
  return to;
}

/** The move that returns a business to its status before a suspension; null if that is impossible now. */
export const restoreMove = (before: BusinessStatus | null): BusinessMoveName | null =>
  (before && restoreMoves[before]) ?? null;
