import type { MemberRole } from '@nearhand/contract/operation';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { membersWithRole, roleIn } from '../businesses/members.service.ts';
import { canMoney, type MoneyAction } from './payments.policy.ts';

/** @throws business/not-found for anyone who is no member, business/not-allowed for a member whose role is another */
async function demand(
  db: Db,
  accountId: string,
  businessId: string,
  action: MoneyAction,
): Promise<MemberRole> {
  const role = await roleIn(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  if (!canMoney(role, action)) throw new AppError('business/not-allowed');
  return role;
}

/** Demands any role in a business: every member may see its money. @throws business/not-found */
export const demandLooker = (db: Db, accountId: string, businessId: string): Promise<MemberRole> =>
  demand(db, accountId, businessId, 'look');

/** Demands a role that manages cards, top-ups and refunds: owner, manager, finance. @throws business/not-found, business/not-allowed */
export const demandTreasurer = (db: Db, accountId: string, businessId: string): Promise<MemberRole> =>
  demand(db, accountId, businessId, 'manage');

/** Whom to tell about the money of a business: owners, managers and finance. */
export async function treasurersOf(db: Db, businessId: string): Promise<string[]> {
  const managers = await membersWithRole(db, businessId, 'manager');
  return [...new Set([...managers, ...(await membersWithRole(db, businessId, 'finance'))])];
}
