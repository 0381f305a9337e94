import type { MemberRole } from '@nearhand/contract/operation';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor } from '../../platform/http/scope.ts';
import { atLeast } from './businesses.policy.ts';
import { findMembers, findMemberships, findRole } from './members.sql.ts';

/**
 * Requires a role in a business, or a stronger one.
 * @throws business/not-found for a non-member, so that a stranger learns nothing; business/not-allowed when the role is too weak
 */
export async function requireRole(
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

/** Requires the caller to be a recruiter, manager or owner. @throws business/not-found, business/not-allowed */
export async function requireRecruiter(
  db: Db,
  actor: Pick<Actor, 'accountId'>,
  businessId: string,
): Promise<void> {
  await requireRole(db, businessId, actor.accountId, 'recruiter');
}

/** The account's role in a business, or null for a non-member; for slices with role rules of their own. */
export const roleIn = (db: Db, businessId: string, accountId: string): Promise<MemberRole | null> =>
  findRole(db, businessId, accountId);

/** The accounts with this role or a stronger one, for notifications. */
export async function membersWithRole(db: Db, businessId: string, needed: MemberRole): Promise<string[]> {
  const members = await findMembers(db, businessId);
  return members.filter((member) => atLeast(member.role, needed)).map((member) => member.accountId);
}

/** The businesses whose signals each account receives, in any role; a signal carries ids only (ADR 0089). */
export const businessesOf = (
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => findMemberships(db, accountIds);
