import type { MemberRole } from '@nearhand/contract/operation';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { atLeast } from './businesses.policy.ts';
import { findMembers, findRole } from './businesses.sql.ts';

/**
 * Demands a role in a business, or a stronger one.
 * @throws business/not-found for anyone who is no member (a stranger learns nothing), business/not-allowed for a member whose role is too weak
 */
export async function demandRole(
  db: Db,
  businessId: string,
  accountId: string,
  needed: MemberRole,
): Promise<MemberRole> {
  const role = await findRole(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  if (!atLeast(role, needed)) throw new AppError('business/not-allowed');
  return role;
}

/** The caller's role in a business, or null for a stranger; where a slice has rules of its own about roles. */
export const roleIn = (db: Db, businessId: string, accountId: string): Promise<MemberRole | null> =>
  findRole(db, businessId, accountId);

/** The accounts that hold a role in a business, or a stronger one: whom to tell. */
export async function membersWithRole(db: Db, businessId: string, needed: MemberRole): Promise<string[]> {
  const members = await findMembers(db, businessId);
  return members.filter((member) => atLeast(member.role, needed)).map((member) => member.accountId);
}
