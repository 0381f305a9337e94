import { createHash, randomBytes } from 'node:crypto';
import type { MemberRole } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { OpenedInvitation, TeamInvitation, TeamInvitationStatus } from '@nearhand/contract/people/team';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { limitNames } from '../branches/member-branches.service.ts';
import { requireMay, roleIn } from '../businesses/members.service.ts';
import { canManage } from './team.policy.ts';
import { findPerson } from './team.sql.ts';
import {
  findByTokenHash,
  findInvitations,
  findInviting,
  type InvitationRow,
} from './team-invitations.sql.ts';

const tokenBytes = 32;

/** A new token of an invitation's link. */
export const newToken = (): string => randomBytes(tokenBytes).toString('base64url');
/** The token is random, so a fast hash without salt is safe. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Its time ends an invitation even before its timer runs. */
export const statusOf = (
  row: Pick<InvitationRow, 'status' | 'expires_at'>,
  now: Date,
): TeamInvitationStatus => (row.status === 'open' && row.expires_at <= now ? 'expired' : row.status);

/** An invitation for those who manage the team. */
export const toInvitation = (
  row: InvitationRow,
  role: MemberRole,
  now: Date,
  namesOf: Awaited<ReturnType<typeof limitNames>>,
): TeamInvitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  branches: namesOf(row.branch_ids),
  status: statusOf(row, now),
  maxUses: row.max_uses,
  uses: row.uses,
  invitedBy: row.inviter_name || row.inviter_email,
  sentAt: row.sent_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  undelivered: row.undelivered,
  askedBy:
    row.asker_name === null || row.asker_email === null
      ? null
      : { name: row.asker_name || row.asker_email, email: row.asker_email },
  canManage: canManage(role, row.role),
});

/** Invitations and links of a business, newest first. @throws business/not-found, business/not-allowed, request/bad-cursor */
export async function listInvitations(
  db: Db,
  scope: Scope,
  input: { businessId: string; cursor?: string; limit: number },
): Promise<{ items: TeamInvitation[]; nextCursor: string | null }> {
  const role = await requireMay(db, input.businessId, scope.actor.accountId, 'team');
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findInvitations(db, input.businessId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.created_at.toISOString(), row.id]);
  const now = scope.clock.now();
  const namesOf = await limitNames(db, input.businessId);
  return {
    items: page.items.map((row) => toInvitation(row, role, now, namesOf)),
    nextCursor: page.nextCursor,
  };
}

/** The invitation behind a token. @throws team/invitation-not-found also for a token that was replaced */
export async function invitationOf(db: Db, token: string): Promise<InvitationRow> {
  const row = await findByTokenHash(db, hashOf(token));
  if (!row) throw new AppError('team/invitation-not-found');
  return row;
}

/** An invitation as anyone who has its link sees it, signed in or not. @throws team/invitation-not-found */
export async function openedInvitation(
  db: Db,
  scope: Scope<Actor | null>,
  { token }: { token: string },
): Promise<OpenedInvitation> {
  const row = await invitationOf(db, token);
  const accountId = scope.actor?.accountId ?? null;
  const business = await findInviting(db, row.business_id);
  const you = accountId === null ? null : await findPerson(db, accountId);
  const role = accountId === null ? null : await roleIn(db, row.business_id, accountId);
  const isAddressee = row.email === null || row.email === you?.email;
  return {
    businessId: row.business_id,
    businessName: business.name,
    area: business.area,
    logoPath: business.logo_file_id && fileContentPath(business.logo_file_id),
    verified: business.status === 'verified',
    role: row.role,
    status: statusOf(row, scope.clock.now()),
    invitedBy: row.inviter_name || business.name,
    email: row.email === null || row.email === you?.email ? row.email : shortened(row.email),
    reader: you === null ? 'guest' : role !== null ? 'member' : isAddressee ? 'addressee' : 'other-address',
    asked: accountId !== null && row.asked_by === accountId,
    expiresAt: row.expires_at.toISOString(),
  };
}

/** Enough for its owner to recognise an address, and for nobody else to learn it: `l•••@example.com`. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
