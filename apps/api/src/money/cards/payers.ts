import type { MemberRole } from '@nearhand/contract/operation';
import { membersWithRole, roleIn } from '../../people/businesses/members.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import { canManageMoney } from './payers.policy.ts';

export { canManageMoney };

/** Requires membership: every member may see the money of their business. @throws business/not-found */
export async function requireMember(db: Db, accountId: string, businessId: string): Promise<MemberRole> {
  const role = await roleIn(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  return role;
}

/** Requires a role that manages the money and reads statements and invoices: owner, manager, finance. @throws business/not-found, business/not-allowed */
export async function requireTreasurer(db: Db, accountId: string, businessId: string): Promise<void> {
  if (!canManageMoney(await requireMember(db, accountId, businessId)))
    throw new AppError('business/not-allowed');
}

/** Notifies the owners, managers and finance of a business about its money, and the member who started the payment. */
export async function notifyTreasurers(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  of: { businessId: string; starter: string | null },
  notice: Omit<Notice, 'accountId'>,
): Promise<void> {
  const accounts = new Set([
    ...(await membersWithRole(tx, of.businessId, 'manager')),
    ...(await membersWithRole(tx, of.businessId, 'finance')),
    ...(of.starter === null ? [] : [of.starter]),
  ]);
  await notifyAll(
    tx,
    scope,
    [...accounts].map((accountId) => ({ ...notice, accountId })),
  );
}
