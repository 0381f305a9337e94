import { joinTeamPath } from '@nearhand/contract/app-paths';
import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { TeamInvitation, TeamMoveName } from '@nearhand/contract/people/team';
import { type RoleBelowOwner, roleMay, teamLimits } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { sha256 } from '../../platform/sign.ts';
import { cancelTask, enqueue } from '../../platform/tasks/tasks.ts';
import { branchLimit, limitNames } from '../branches/member-branches.ts';
import { type LockedTeam, lockTeam, requireMay } from '../businesses/businesses.ts';
import { findRole } from '../businesses/members.sql.ts';
import { peopleHooks } from '../hooks.ts';
import { canManage, newToken, statusOf, toInvitation } from './invitation-views.ts';
import { countSent, insertOwnerMove } from './team.sql.ts';
import {
  countOpenInvitations,
  endInvitation,
  findAccountByAddress,
  findInvitation,
  findOpenTo,
  findOpenToOwn,
  findSentBy,
  type InvitationRow,
  insertInvitation,
  isMemberAddress,
  reopenInvitation,
} from './team-invitations.sql.ts';
import {
  expireInvitationTask,
  logMemberMove,
  ownershipExpiryKey,
  sendInvitationTask,
} from './team-timers.ts';

/** Invites someone by email to a role the caller manages. */
export async function invite(
  tx: Tx,
  scope: Scope,
  input: { businessId: string; email: string; role: MemberRole; branchIds: BranchLimit },
): Promise<TeamInvitation> {
  const { locked, role } = await lockTeamToInvite(tx, scope, input.businessId, input.role);
  await requireRoom(tx, scope, locked, input.email);
  await assertInvitable(tx, scope, locked, input.email);
  const { invitation, token } = await createInvitation(tx, scope, { ...input, maxUses: 1 });
  await sendInvitation(tx, scope, locked, { invitation, token });
  return viewInvitation(tx, scope, invitation, role);
}

/** Mails an invitation, and notifies its addressee in the app if they have an account. */
async function sendInvitation(
  tx: Tx,
  scope: Scope,
  { businessId, name }: LockedTeam,
  { invitation, token }: { invitation: InvitationRow; token: string },
): Promise<void> {
  const { id, email, role, sends, inviterName } = invitation;
  await enqueue(tx, sendInvitationTask, { invitationId: id, token, sends });
  const accountId = email === null ? null : await findAccountByAddress(tx, email);
  if (accountId)
    // The invitation itself is the mail.
    await peopleHooks.on.teamChanged(
      tx,
      { clock: scope.clock, config: scope.config, unmailed: true },
      {
        kind: 'invited',
        to: [accountId],
        business: { id: businessId, name },
        personName: inviterName || name,
        role,
        by: invitation.expiresAt,
        event: `${id}/${sends}`,
      },
    );
}

/** Creates a link for up to `maxUses` people. Managers and owners only. Only this response has its URL. */
export async function createLink(
  tx: Tx,
  scope: Scope,
  input: { businessId: string; role: RoleBelowOwner; branchIds: BranchLimit; maxUses: number },
): Promise<{ invitation: TeamInvitation; url: string }> {
  const { locked, role } = await lockTeamToInvite(tx, scope, input.businessId, input.role);
  await requireRoom(tx, scope, locked, null);
  const { invitation, token } = await createInvitation(tx, scope, { ...input, email: null });
  return {
    invitation: await viewInvitation(tx, scope, invitation, role),
    url: urlOf(scope, token),
  };
}

/** Resends an invitation for a week; the previous link stops working. */
export async function resendInvitation(
  tx: Tx,
  scope: Scope,
  input: { teamInvitationId: string; toAsker: boolean },
): Promise<TeamInvitation> {
  const { row, locked, role } = await lockInvitation(tx, scope, input.teamInvitationId);
  const email = input.toAsker ? row.askerEmail : row.email;
  if (email === null) throw new AppError('team/invitation-not-found');
  const { invitation, token } = await reopen(tx, scope, locked, { row, action: 'resent', email });
  await sendInvitation(tx, scope, locked, { invitation, token });
  return viewInvitation(tx, scope, invitation, role);
}

/** Replaces a link for another week. Only this response has its URL. */
export async function renewInvitationLink(
  tx: Tx,
  scope: Scope,
  input: { teamInvitationId: string },
): Promise<{ invitation: TeamInvitation; url: string }> {
  const { row, locked, role } = await lockInvitation(tx, scope, input.teamInvitationId);
  if (row.email !== null) throw new AppError('team/invitation-not-found');
  const { invitation, token } = await reopen(tx, scope, locked, { row, action: 'link-renewed', email: null });
  return {
    invitation: await viewInvitation(tx, scope, invitation, role),
    url: urlOf(scope, token),
  };
}

/** Cancels an invitation or link. For owners and managers. */
export async function revokeInvitation(
  tx: Tx,
  scope: Scope,
  input: { teamInvitationId: string },
): Promise<TeamInvitation> {
  const { row, role } = await lockInvitation(tx, scope, input.teamInvitationId);
  const now = scope.clock.now();
  const status = statusOf(row, now);
  if (status === 'open') await revoke(tx, scope, row);
  else if (status !== 'revoked') throw new AppError('team/invitation-over', { status });
  return viewInvitation(tx, scope, await reload(tx, row.id), role);
}

async function viewInvitation(
  tx: Tx,
  { clock }: ClockScope,
  row: InvitationRow,
  role: MemberRole,
): Promise<TeamInvitation> {
  return toInvitation(row, role, clock.now(), await limitNames(tx, row.businessId));
}

/** Cancels what a former manager sent, so that they can't return by their own link. */
export async function revokeSentBy(
  tx: Tx,
  scope: Scope,
  { businessId }: LockedTeam,
  accountId: string,
): Promise<void> {
  for (const row of await findSentBy(tx, businessId, accountId)) await revoke(tx, scope, row);
}

/** Revokes invitations to become an owner. The team must be locked. */
export async function revokeOwnerInvitations(
  tx: Tx,
  scope: Scope,
  { businessId }: LockedTeam,
): Promise<void> {
  for (const row of await findOpenToOwn(tx, businessId)) await revoke(tx, scope, row);
}

async function revoke(
  tx: Tx,
  scope: Scope,
  row: { id: string; businessId: string; email: string | null; role: string },
): Promise<void> {
  if (!(await endInvitation(tx, row, 'revoked'))) return;
  await cancelTask(tx, ownershipExpiryKey(row.id));
  await logOf(tx, scope, row, 'revoked');
}

async function createInvitation(
  tx: Tx,
  scope: Scope,
  input: {
    businessId: string;
    email: string | null;
    role: MemberRole;
    branchIds: BranchLimit;
    maxUses: number;
  },
): Promise<{ invitation: InvitationRow; token: string }> {
  const now = scope.clock.now();
  const id = newId(now);
  const token = newToken();
  const expiresAt = expiryFrom(now);
  const limit = await branchLimit(tx, input.businessId, input.role, input.branchIds);
  await insertInvitation(tx, {
    id,
    businessId: input.businessId,
    role: input.role,
    email: input.email,
    branchIds: limit,
    tokenHash: sha256(token),
    status: 'open',
    maxUses: input.maxUses,
    invitedBy: scope.actor.accountId,
    createdAt: now,
    sentAt: now,
    expiresAt,
  });
  const invitation = await reload(tx, id);
  await logOf(tx, scope, invitation, input.email === null ? 'link-created' : 'invited');
  await enqueue(
    tx,
    expireInvitationTask,
    { invitationId: id },
    { runAt: expiresAt, key: ownershipExpiryKey(id) },
  );
  return { invitation, token };
}

async function reopen(
  tx: Tx,
  scope: Scope,
  locked: LockedTeam,
  { row, action, email }: { row: InvitationRow; action: 'resent' | 'link-renewed'; email: string | null },
): Promise<{ invitation: InvitationRow; token: string }> {
  assertOpenBusiness(locked);
  const now = scope.clock.now();
  const status = statusOf(row, now);
  if (status !== 'open' && status !== 'expired') throw new AppError('team/invitation-over', { status });
  await requireSends(tx, scope, locked, email);
  if (email !== null && (email !== row.email || status === 'expired'))
    await assertInvitable(tx, scope, locked, email, row.id);
  const token = newToken();
  const expiresAt = expiryFrom(now);
  await reopenInvitation(tx, row, {
    tokenHash: sha256(token),
    sentAt: now,
    expiresAt,
    email: email ?? undefined,
  });
  const invitation = await reload(tx, row.id);
  await logOf(tx, scope, invitation, action);
  await enqueue(
    tx,
    expireInvitationTask,
    { invitationId: row.id },
    { runAt: expiresAt, key: ownershipExpiryKey(row.id) },
  );
  return { invitation, token };
}

/** @throws business/not-found, business/not-allowed, business/wrong-state */
async function lockTeamToInvite(tx: Tx, scope: Scope, businessId: string, invited: MemberRole) {
  // Runs before the lock, which a stranger must not hold.
  await requireMay(tx, businessId, scope.actor.accountId, 'team');
  const locked = await lockTeam(tx, businessId);
  const role = locked.roles.get(scope.actor.accountId) ?? null;
  if (role === null || !canManage(role, invited)) throw new AppError('business/not-allowed');
  assertOpenBusiness(locked);
  return { locked, role };
}

/** @throws team/invitation-not-found, business/not-allowed */
async function lockInvitation(tx: Tx, scope: Scope, invitationId: string) {
  const { accountId } = scope.actor;
  const invitation = await findInvitation(tx, invitationId);
  if (!invitation || (await findRole(tx, invitation.businessId, accountId)) === null)
    throw new AppError('team/invitation-not-found');
  const locked = await lockTeam(tx, invitation.businessId);
  const role = locked.roles.get(accountId) ?? null;
  if (!roleMay(role, 'team') || role === null || !canManage(role, invitation.role))
    throw new AppError('business/not-allowed');
  return { row: await reload(tx, invitationId), locked, role };
}

const assertOpenBusiness = ({ status }: LockedTeam): void => {
  if (status === 'closed') throw new AppError('business/wrong-state', { status });
};

async function requireRoom(tx: Tx, scope: Scope, locked: LockedTeam, email: string | null): Promise<void> {
  if (locked.roles.size >= teamLimits.members) throw new AppError('team/full', { limit: teamLimits.members });
  if ((await countOpenInvitations(tx, locked.businessId, scope.clock.now())) >= teamLimits.openInvitations)
    throw new AppError('team/full', { limit: teamLimits.openInvitations });
  await requireSends(tx, scope, locked, email);
}

/**
 * Limits mail to strangers by business and address (ADR 125).
 * @throws team/invitation-limit
 */
async function requireSends(
  tx: Tx,
  scope: Scope,
  { businessId, status }: LockedTeam,
  email: string | null,
): Promise<void> {
  const since = subtractMs(scope.clock.now(), dayMs);
  const counts = await countSent(tx, businessId, email, since);
  const { invitationsPerDay, invitationsPerDayUnverified, mailsPerAddress } = teamLimits;
  const limit = status === 'verified' ? invitationsPerDay : invitationsPerDayUnverified;
  if (counts.all >= limit) throw new AppError('team/invitation-limit', { limit });
  if (counts.here >= mailsPerAddress) throw new AppError('team/invitation-limit', { limit: mailsPerAddress });
}

async function assertInvitable(
  tx: Tx,
  scope: Scope,
  { businessId }: LockedTeam,
  email: string,
  except?: string,
): Promise<void> {
  if (await isMemberAddress(tx, businessId, email)) throw new AppError('team/already-member');
  const open = await findOpenTo(tx, businessId, email);
  if (!open || open.id === except) return;
  if (open.expiresAt > scope.clock.now()) throw new AppError('team/already-invited');
  // The timer of the open invitation has not run.
  await endInvitation(tx, { id: open.id, businessId }, 'expired');
}

async function reload(tx: Tx, invitationId: string): Promise<InvitationRow> {
  const row = await findInvitation(tx, invitationId);
  if (!row) throw new AppError('team/invitation-not-found');
  return row;
}

async function logOf(
  tx: Tx,
  scope: Scope,
  row: { id: string; businessId: string; email: string | null; role: string },
  action: TeamMoveName,
): Promise<void> {
  const now = scope.clock.now();
  const move = {
    id: newId(now),
    businessId: row.businessId,
    actorId: scope.actor.accountId,
    action,
    email: row.email,
    invitationId: row.id,
    toRole: row.role,
    at: now,
  };
  if (row.role === 'owner' && (action === 'invited' || action === 'resent'))
    await logMemberMove(tx, await lockTeam(tx, row.businessId), move);
  else await insertOwnerMove(tx, move);
}

const expiryFrom = (now: Date): Date => addMs(now, teamLimits.invitationDays * dayMs);
const urlOf = ({ config }: Scope, token: string): string => `${config.PUBLIC_URL}${joinTeamPath(token)}`;
