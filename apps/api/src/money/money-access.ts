import type { MemberRole } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import { membersWho } from '../people/businesses/businesses.ts';
import { findRole } from '../people/businesses/members.sql.ts';
import { AppError } from '../platform/app-error.ts';
import type { Db, Tx } from '../platform/db.ts';
import type { ClockScope } from '../platform/http/scope.ts';
import { type Notice, notifyAll } from '../talk/notifications/notifications.ts';

/** Returns whether a role may add cards and move money. */
export const canManageMoney = (role: MemberRole): boolean => roleMay(role, 'money');

/**
 * Requires membership.
 * @throws business/not-found
 */
export async function requireBusinessMember(
  db: Db,
  accountId: string,
  businessId: string,
): Promise<MemberRole> {
  const role = await findRole(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  return role;
}

/**
 * Requires owner, manager or finance.
 * @throws business/not-found, business/not-allowed
 */
export async function requireMoneyRole(db: Db, accountId: string, businessId: string): Promise<void> {
  if (!canManageMoney(await requireBusinessMember(db, accountId, businessId)))
    throw new AppError('business/not-allowed');
}

/** Notifies the members who manage money, and the one who started the payment. Each once. */
export async function notifyMoneyRoles<Topic extends NotificationTopic>(
  tx: Tx,
  scope: ClockScope,
  audience: { businessId: string; starter: string | null },
  notice: Omit<Notice<Topic>, 'accountId'>,
): Promise<void> {
  const accounts = new Set([
    ...(await membersWho(tx, audience.businessId, 'money')),
    ...(audience.starter === null ? [] : [audience.starter]),
  ]);
  await notifyAll(
    tx,
    scope,
    [...accounts].map((accountId) => ({ ...notice, accountId })),
  );
}
