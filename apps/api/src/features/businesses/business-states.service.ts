import type { Business } from '@nearhand/contract/businesses';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../notifications/notifications.service.ts';
import { hasMoney } from '../payments/wallet.service.ts';
import { moveBusiness } from './business-moves.service.ts';
import { memberView } from './businesses.service.ts';
import { countRunningJobs, lockBusiness } from './businesses.sql.ts';
import { demandRole, membersWithRole } from './members.service.ts';

/** Asks for verification; the owner may. @throws business/not-found, business/not-allowed, business/wrong-state */
export async function submitBusiness(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Business> {
  const { accountId } = scope.actor;
  await demandRole(tx, businessId, accountId, 'owner');
  await moveBusiness(tx, { id: accountId, as: 'M' }, scope.clock.now(), businessId, 'submit');
  return memberView(tx, businessId, accountId);
}

/**
 * Closes a business for good; the owner may, once no job is open, paused or filled, and it holds no money (product.md: Business).
 * @throws business/not-found, business/not-allowed, business/wrong-state, business/has-open-jobs, business/has-money
 */
export async function closeBusiness(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Business> {
  const { accountId } = scope.actor;
  await demandRole(tx, businessId, accountId, 'owner');
  // The lock keeps a job from being published between the count and the move.
  await lockBusiness(tx, businessId);
  const running = await countRunningJobs(tx, businessId);
  if (running > 0) throw new AppError('business/has-open-jobs', { jobs: running });
  if (await hasMoney(tx, businessId)) throw new AppError('business/has-money');
  await moveBusiness(tx, { id: accountId, as: 'M' }, scope.clock.now(), businessId, 'close');
  return memberView(tx, businessId, accountId);
}

/**
 * Verifies a submitted business in the name of an operator and tells its owners and managers. There is no operation for it yet (product.md, Not built yet): the demo
 * town and tests call it.
 * @throws business/not-found, business/wrong-state
 */
export async function verifyBusiness(
  tx: Tx,
  by: { operator: string; clock: Clock },
  businessId: string,
): Promise<void> {
  const now = by.clock.now();
  await moveBusiness(tx, { id: by.operator, as: 'O' }, now, businessId, 'verify');
  const business = await lockBusiness(tx, businessId);
  const told = await membersWithRole(tx, businessId, 'manager');
  await notifyAll(
    tx,
    by,
    told.map((accountId) => ({
      accountId,
      topic: 'business-verified',
      data: { businessName: business?.name ?? '' },
      path: '/my-business',
      dedupeKey: `business-verified/${businessId}/${now.toISOString()}`,
    })),
  );
}
