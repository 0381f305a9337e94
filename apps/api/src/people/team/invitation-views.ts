import { randomBytes } from 'node:crypto';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type {
  MemberAction,
  OpenedInvitation,
  TeamInvitation,
  TeamInvitationStatus,
} from '@nearhand/contract/people/team';
import { managedRoles, roleMay, rolesBelowOwner } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { sha256 } from '../../platform/sign.ts';
import { limitNames } from '../branches/member-branches.ts';
import { requireMay } from '../businesses/businesses.ts';
import { findRole } from '../businesses/members.sql.ts';
import { findPerson, type OwnerMoveRow } from './team.sql.ts';
import {
  findByTokenHash,
  findInvitations,
  findInvitingBusiness,
  type InvitationRow,
} from './team-invitations.sql.ts';

const tokenBytes = 32;

export const newToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** An invitation expires even before its timer runs. */
export const statusOf = (
  row: Pick<InvitationRow, 'status' | 'expiresAt'>,
  now: Date,
): TeamInvitationStatus => (row.status === 'open' && row.expiresAt <= now ? 'expired' : row.status);

export const toInvitation = (
  row: InvitationRow,
  role: MemberRole,
  now: Date,
  namesOf: Awaited<ReturnType<typeof limitNames>>,
): TeamInvitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  branches: namesOf(row.branchIds),
  status: statusOf(row, now),
  maxUses: row.maxUses,
  uses: row.uses,
  invitedBy: row.inviterName || row.inviterEmail,
  sentAt: row.sentAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  undelivered: row.undelivered,
  askedBy:
    row.askerName === null || row.askerEmail === null
      ? null
      : { name: row.askerName || row.askerEmail, email: row.askerEmail },
  canManage: canManage(role, row.role),
});

/** Invitations and links, newest first, for those who manage the team. */
export async function listInvitations(
  db: Db,
  scope: Scope,
  input: { businessId: string } & PageInput,
): Promise<Page<TeamInvitation>> {
  const role = await requireMay(db, input.businessId, scope.actor.accountId, 'team');
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findInvitations(db, input.businessId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.createdAt.toISOString(), row.id]);
  const now = scope.clock.now();
  const namesOf = await limitNames(db, input.businessId);
  return {
    items: page.items.map((row) => toInvitation(row, role, now, namesOf)),
    nextCursor: page.nextCursor,
  };
}

/** @throws team/invitation-not-found, including a replaced token */
export async function requireInvitation(db: Db, token: string): Promise<InvitationRow> {
  // The token is random, so a fast hash without salt is safe.
  const row = await findByTokenHash(db, sha256(token));
  if (!row) throw new AppError('team/invitation-not-found');
  return row;
}

/** The public view of an invitation. */
export async function openedInvitation(
  db: Db,
  scope: Scope<Actor | null>,
  { token }: { token: string },
): Promise<OpenedInvitation> {
  const row = await requireInvitation(db, token);
  const accountId = scope.actor?.accountId ?? null;
  const business = await findInvitingBusiness(db, row.businessId);
  const you = accountId === null ? null : await findPerson(db, accountId);
  const role = accountId === null ? null : await findRole(db, row.businessId, accountId);
  const isAddressee = row.email === null || row.email === you?.email;
  return {
    businessId: row.businessId,
    businessName: business.name,
    area: business.area,
    logoPath: business.logoFileId && fileContentPath(business.logoFileId),
    verified: business.status === 'verified',
    role: row.role,
    branches: await invitedBranches(db, row),
    status: statusOf(row, scope.clock.now()),
    invitedBy: row.inviterName || business.name,
    email: row.email,
    reader: readerOf(role, you, isAddressee),
    asked: accountId !== null && row.askedBy === accountId,
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** Names of the branches that an invitation limits its role to; null for all. */
export async function invitedBranches(
  db: Db,
  { businessId, branchIds }: Pick<InvitationRow, 'businessId' | 'branchIds'>,
): Promise<string[] | null> {
  if (branchIds === null) return null;
  const namesOf = await limitNames(db, businessId);
  return namesOf(branchIds)?.map(({ name }) => name) ?? null;
}

function readerOf(
  role: MemberRole | null,
  person: unknown,
  isAddressee: boolean,
): OpenedInvitation['reader'] {
  if (person === null) return 'guest';
  if (role !== null) return 'member';
  return isAddressee ? 'addressee' : 'other-address';
}

/** Returns whether a role may invite and remove members of the target role. */
export const canManage = (role: MemberRole | null, target: MemberRole): boolean =>
  managedRoles(role).includes(target);

/** The roles that the caller may give to this member; none for themselves. */
export const roleChoicesFor = (
  role: MemberRole,
  member: { role: MemberRole; isYou: boolean },
): MemberRole[] =>
  member.isYou || !canManage(role, member.role)
    ? []
    : rolesBelowOwner.filter((target) => target !== member.role && canManage(role, target));

/**
 * The actions on a member. While ownership is disputed (`ownersFrozen`), owners can be neither removed nor
 * leave.
 */
export function memberActionsFor(
  role: MemberRole,
  member: { role: MemberRole; isYou: boolean },
  { isLastOwner, ownersFrozen }: { isLastOwner: boolean; ownersFrozen: boolean },
): MemberAction[] {
  if (ownersFrozen && member.role === 'owner') return [];
  if (member.isYou) return isLastOwner ? [] : ['leave'];
  if (!canManage(role, member.role)) return [];
  return [
    'change-role',
    'remove',
    ...(roleMay(role, 'ownership') && member.role !== 'owner' && !ownersFrozen
      ? (['offer-ownership'] as const)
      : []),
  ];
}

/** A former owner may restore the owners only once: otherwise a removed one could return each time. */
export const canUndo = (move: OwnerMoveRow, accountId: string): boolean =>
  (move.ownersBefore?.includes(accountId) ?? false) && !move.restoredBefore.includes(accountId);
