import type { MemberRole } from '@nearhand/contract/operation';
import type { BusinessStatus } from '@nearhand/contract/people/businesses';
import { type Capability, includesRole, roleMay } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor } from '../../platform/http/scope.ts';
import type { BranchLimit, Membership } from '../../platform/members/job-members.ts';
import { lockBusiness } from './business-transitions.ts';
import {
  deleteMember,
  deleteMemberships,
  findMember,
  findMembers,
  findMembersAt,
  findMemberships,
  findRole,
  findRoleAt,
  insertMember,
  updateMemberRole,
} from './members.sql.ts';

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
  if (!includesRole(role, needed)) throw new AppError('business/not-allowed');
  return role;
}

/**
 * Requires the caller to be a recruiter, manager or owner, for a list over the jobs of a business.
 * @returns the branches whose jobs they see; null for all
 * @throws business/not-found, business/not-allowed
 */
export async function requireRecruiter(
  db: Db,
  actor: Pick<Actor, 'accountId'>,
  businessId: string,
): Promise<BranchLimit> {
  const member = await findMember(db, businessId, actor.accountId);
  if (!member) throw new AppError('business/not-found');
  if (!includesRole(member.role, 'recruiter')) throw new AppError('business/not-allowed');
  return member.branchIds;
}

/** The same for what belongs to the business as a whole, which those limited to branches may not use. @throws business/not-found, business/not-allowed */
export async function requireWholeRecruiter(
  db: Db,
  actor: Pick<Actor, 'accountId'>,
  businessId: string,
): Promise<void> {
  if ((await requireRecruiter(db, actor, businessId)) !== null) throw new AppError('business/not-allowed');
}

/**
 * Requires a role that may do this (`team.rules.ts`).
 * @throws business/not-found for a non-member, business/not-allowed when the role may not
 */
export async function requireMay(
  db: Db,
  businessId: string,
  accountId: string,
  capability: Capability,
): Promise<MemberRole> {
  const role = await findRole(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  if (!roleMay(role, capability)) throw new AppError('business/not-allowed');
  return role;
}

/** The branches that a member is limited to; null without a limit and for a non-member. */
export const branchLimitOf = async (db: Db, businessId: string, accountId: string): Promise<BranchLimit> =>
  (await findMember(db, businessId, accountId))?.branchIds ?? null;

/** The account's role at a job, or null for a non-member and for those limited to other branches. */
export const roleAt = (db: Db, jobId: string, accountId: string): Promise<MemberRole | null> =>
  findRoleAt(db, jobId, accountId);

/** The account's role in a business, or null for a non-member; for slices with role rules of their own. */
export const roleIn = (db: Db, businessId: string, accountId: string): Promise<MemberRole | null> =>
  findRole(db, businessId, accountId);

/** The accounts with this role or a stronger one, for notifications. */
export async function membersWithRole(db: Db, businessId: string, needed: MemberRole): Promise<string[]> {
  const members = await findMembers(db, businessId);
  return members.filter((member) => includesRole(member.role, needed)).map((member) => member.accountId);
}

/** The accounts with this role or a stronger one who may see a job, for notifications. */
export async function membersAt(db: Db, jobId: string, needed: MemberRole): Promise<string[]> {
  const members = await findMembersAt(db, jobId);
  return members.filter((member) => includesRole(member.role, needed)).map((member) => member.accountId);
}

/** The businesses whose signals each account receives, in any role; a signal carries ids only (ADR 89). */
export const businessesOf = (
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Membership[]>> => findMemberships(db, accountIds);

/** The businesses that would have no owner without an account. */
/** Those of the accounts that may see a job, or the job of a conversation: who of those limited to branches receives its signals. */
export { findLastOwned, findSeers as seersOf } from './members.sql.ts';

/** Roles and accounts of a team, which the caller has locked. */
export type LockedTeam = {
  businessId: string;
  name: string;
  status: BusinessStatus;
  roles: ReadonlyMap<string, MemberRole>;
  /** The branches that members are limited to; null without a limit. */
  limits: ReadonlyMap<string, BranchLimit>;
};

/**
 * Locks a business and reads its members. Every change of a team takes this lock first, so that two owners who leave at once do not leave
 * it without one.
 * @throws business/not-found
 */
export async function lockTeam(tx: Tx, businessId: string): Promise<LockedTeam> {
  const business = await lockBusiness(tx, businessId);
  if (!business) throw new AppError('business/not-found');
  const members = await findMembers(tx, businessId);
  return {
    businessId,
    name: business.name,
    status: business.status,
    roles: new Map(members.map(({ accountId, role }) => [accountId, role])),
    limits: new Map(members.map(({ accountId, branchIds }) => [accountId, branchIds])),
  };
}

/** Adds a member to a locked team. */
export const addMember = (
  tx: Tx,
  { businessId }: LockedTeam,
  member: { accountId: string; role: MemberRole; branchIds: BranchLimit; at: Date },
): Promise<void> =>
  insertMember(tx, {
    businessId,
    accountId: member.accountId,
    role: member.role,
    branchIds: member.branchIds && [...member.branchIds],
    createdAt: member.at,
  });

/** Gives a member of a locked team another role, limited to these branches or to none. */
export async function assignRole(
  tx: Tx,
  { businessId, roles }: LockedTeam,
  accountId: string,
  to: MemberRole,
  branchIds: BranchLimit = null,
): Promise<void> {
  const from = roles.get(accountId);
  if (from === undefined || !(await updateMemberRole(tx, { businessId, accountId, from, to, branchIds })))
    throw new AppError('team/member-not-found');
}

/** Takes a member out of a locked team. */
export const dropMember = (tx: Tx, { businessId }: LockedTeam, accountId: string): Promise<void> =>
  deleteMember(tx, { businessId, accountId });
/** For an account that is removed: it leaves every business. Contact details of a closed one without other members go too. */
export const endMemberships = (tx: Tx, accountId: string, now: Date): Promise<void> =>
  deleteMemberships(tx, accountId, now);
