import type { Business, BusinessStatus } from '@nearhand/contract/people/businesses';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { peopleOutcomes } from '../outcomes.ts';
import { moveBusiness } from './business-moves.service.ts';
import { nextBusinessStatus } from './businesses.rules.ts';
import { memberView } from './businesses.service.ts';
import { lockBusiness } from './businesses.sql.ts';
import { membersWithRole, requireRole } from './members.service.ts';

/** Requests verification; owners only. @throws business/not-found, business/not-allowed, business/wrong-state */
export async function submitBusiness(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Business> {
  const { accountId } = scope.actor;
  await requireRole(tx, businessId, accountId, 'owner');
  await moveBusiness(tx, { id: accountId, as: 'M' }, scope.clock.now(), businessId, 'submit');
  return memberView(tx, businessId, accountId);
}

/**
 * Closes a business permanently; owners only, once it has no running jobs and no money (product.md: Business).
 * @throws business/not-found, business/not-allowed, business/wrong-state, business/has-open-jobs, business/has-money
 */
export async function closeBusiness(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Business> {
  const { accountId } = scope.actor;
  await requireRole(tx, businessId, accountId, 'owner');
  // The lock prevents a job from being published between the check and the move.
  await lockBusiness(tx, businessId);
  const { runningJobs, hasMoney } = await peopleOutcomes.on.businessClosing(tx, businessId);
  if (runningJobs > 0) throw new AppError('business/has-open-jobs', { jobs: runningJobs });
  if (hasMoney) throw new AppError('business/has-money');
  await moveBusiness(tx, { id: accountId, as: 'M' }, scope.clock.now(), businessId, 'close');
  return memberView(tx, businessId, accountId);
}

/** For the team: someone became an owner, so a verified business must be verified again (product.md, States: Business). The caller has locked it. */
export async function reverifyOwner(
  tx: Tx,
  scope: Scope,
  business: { businessId: string; status: BusinessStatus },
): Promise<void> {
  if (nextBusinessStatus(business.status, 'change-owner', 'M') === null) return;
  const mover = { id: scope.actor.accountId, as: 'M' } as const;
  await moveBusiness(tx, mover, scope.clock.now(), business.businessId, 'change-owner');
}

/**
 * Verifies a submitted business as an operator and notifies its owners and managers. It has no operation yet
 * (product.md, Not built yet): the demo town and tests call it.
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
  const managerIds = await membersWithRole(tx, businessId, 'manager');
  await peopleOutcomes.on.businessVerified(tx, by, {
    id: businessId,
    name: business?.name ?? '',
    managerIds,
  });
}
