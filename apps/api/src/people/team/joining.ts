import type { MemberRole } from '@nearhand/contract/member-roles';
import type { OpenedInvitation, ReceivedInvitation } from '@nearhand/contract/people/team';
import { managedRoles, teamLimits } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask } from '../../platform/tasks/tasks.ts';
import { reverifyOwner } from '../businesses/business-lifecycle.ts';
import { addMember, type LockedTeam, lockTeam } from '../businesses/businesses.ts';
import { peopleHooks } from '../hooks.ts';
import { invitedBranches, openedInvitation, requireInvitation, statusOf } from './invitation-views.ts';
import { findPerson, insertOwnerMove } from './team.sql.ts';
import {
  consumeInvitation,
  endInvitation,
  findInvitation,
  findReceived,
  hasJoinedBy,
  type InvitationRow,
  setAsker,
} from './team-invitations.sql.ts';
import { logMemberMove, ownershipExpiryKey } from './team-timers.ts';

/** Joins a business, for the invited address or anyone with the link. */
export const acceptInvitation = async (tx: Tx, scope: Scope, { token }: { token: string }) =>
  joinLocked(tx, scope, await lockOpened(tx, scope, () => requireInvitation(tx, token)));

/** Joins by an invitation to the caller's verified address. */
export const acceptReceived = async (tx: Tx, scope: Scope, input: ReceivedRef) =>
  joinLocked(tx, scope, await lockReceived(tx, scope, input));

async function joinLocked(
  tx: Tx,
  scope: Scope,
  { row, locked, you }: LockedInvitation,
): Promise<{ businessId: string; role: MemberRole }> {
  const { accountId } = scope.actor;
  const { businessId } = locked;
  const currentRole = locked.roles.get(accountId);
  if (currentRole !== undefined) {
    if (await hasJoinedBy(tx, row.id, accountId)) return { businessId, role: currentRole };
    throw new AppError('team/already-member');
  }
  assertOpen(row, scope);
  assertAddressee(row, you.email);
  if (locked.status === 'closed') throw new AppError('business/wrong-state', { status: locked.status });
  if (locked.roles.size >= teamLimits.members) throw new AppError('team/full', { limit: teamLimits.members });
  const now = scope.clock.now();
  if (!(await consumeInvitation(tx, row, now)))
    throw new AppError('team/invitation-over', { status: row.status });
  await addMember(tx, locked, { accountId, role: row.role, branchIds: row.branchIds, at: now });
  if (row.uses + 1 === row.maxUses) await cancelTask(tx, ownershipExpiryKey(row.id));
  await logMemberMove(tx, locked, {
    id: newId(now),
    businessId,
    actorId: accountId,
    action: 'joined',
    accountId,
    invitationId: row.id,
    toRole: row.role,
    at: now,
  });
  if (row.role === 'owner') await reverifyOwner(tx, scope, locked);
  await notifyTeam(tx, scope, locked, { row, kind: 'joined', personName: you.name });
  return { businessId, role: row.role };
}

/** Declines an email invitation. */
export async function declineInvitation(
  tx: Tx,
  scope: Scope,
  { token }: { token: string },
): Promise<OpenedInvitation> {
  const invitation = await lockOpened(tx, scope, () => requireInvitation(tx, token));
  if (invitation.row.email === null) throw new AppError('team/other-address');
  assertAddressee(invitation.row, invitation.you.email);
  await declineLocked(tx, scope, invitation);
  return openedInvitation(tx, scope, { token });
}

/** Declines an invitation to the caller's verified address. Returns those that are left. */
export async function declineReceived(
  tx: Tx,
  scope: Scope,
  input: ReceivedRef,
): Promise<ReceivedInvitation[]> {
  await declineLocked(tx, scope, await lockReceived(tx, scope, input));
  return receivedInvitations(tx, scope);
}

async function declineLocked(tx: Tx, scope: Scope, { row, locked, you }: LockedInvitation): Promise<void> {
  if (row.status === 'declined') return;
  assertOpen(row, scope);
  const now = scope.clock.now();
  await endInvitation(tx, row, 'declined');
  await cancelTask(tx, ownershipExpiryKey(row.id));
  await insertOwnerMove(tx, {
    id: newId(now),
    businessId: locked.businessId,
    actorId: scope.actor.accountId,
    action: 'declined',
    email: row.email,
    invitationId: row.id,
    toRole: row.role,
    at: now,
  });
  await notifyTeam(tx, scope, locked, { row, kind: 'invitation-declined', personName: you.name });
}

/** Open invitations to the caller's verified address, newest first. */
export async function receivedInvitations(db: Db, scope: Scope): Promise<ReceivedInvitation[]> {
  const { email } = await findPerson(db, scope.actor.accountId);
  const rows = await findReceived(db, email, scope.clock.now());
  const invitations: ReceivedInvitation[] = [];
  for (const { id, businessId, businessName, role, branchIds, inviterName, expiresAt } of rows)
    invitations.push({
      id,
      businessId,
      businessName,
      role,
      branches: await invitedBranches(db, { businessId, branchIds }),
      invitedBy: inviterName || businessName,
      expiresAt: expiresAt.toISOString(),
    });
  return invitations;
}

/** Asks for an invitation to the caller's address, which reveals it and their name. */
export async function askForInvitation(
  tx: Tx,
  scope: Scope,
  { token }: { token: string },
): Promise<OpenedInvitation> {
  const { accountId } = scope.actor;
  const { row, locked, you } = await lockOpened(tx, scope, () => requireInvitation(tx, token));
  if (locked.roles.has(accountId)) throw new AppError('team/already-member');
  const status = statusOf(row, scope.clock.now());
  if (row.email === null || (status !== 'open' && status !== 'expired'))
    throw new AppError('team/invitation-over', { status });
  if (row.askedBy !== accountId && row.email !== you.email) {
    await setAsker(tx, row, accountId);
    await notifyTeam(tx, scope, locked, { row, kind: 'invitation-asked', personName: you.name });
  }
  return openedInvitation(tx, scope, { token });
}

type LockedInvitation = Awaited<ReturnType<typeof lockOpened>>;
type ReceivedRef = { teamInvitationId: string };

/** Locks the business, then reads the invitation again. @throws team/invitation-not-found */
async function lockOpened(tx: Tx, scope: Scope, find: () => Promise<InvitationRow>) {
  const invitation = await find();
  const locked = await lockTeam(tx, invitation.businessId);
  const row = await find();
  return { row, locked, you: await findPerson(tx, scope.actor.accountId) };
}

/** @throws team/invitation-not-found, also for an invitation to another address */
async function lockReceived(tx: Tx, scope: Scope, { teamInvitationId }: ReceivedRef) {
  const { email } = await findPerson(tx, scope.actor.accountId);
  return lockOpened(tx, scope, async () => {
    const row = await findInvitation(tx, teamInvitationId);
    if (row?.email !== email) throw new AppError('team/invitation-not-found');
    return row;
  });
}

function assertOpen(row: InvitationRow, scope: Scope): void {
  const status = statusOf(row, scope.clock.now());
  if (status !== 'open') throw new AppError('team/invitation-over', { status });
}

function assertAddressee(row: InvitationRow, email: string): void {
  if (row.email !== null && row.email !== email) throw new AppError('team/other-address');
}

async function notifyTeam(
  tx: Tx,
  scope: Scope,
  locked: LockedTeam,
  {
    row,
    kind,
    personName,
  }: {
    row: InvitationRow;
    kind: 'joined' | 'invitation-declined' | 'invitation-asked';
    personName: string;
  },
): Promise<void> {
  const to = [...locked.roles]
    .filter(
      ([accountId, role]) =>
        managedRoles(role).includes(row.role) && (role === 'owner' || accountId === row.invitedBy),
    )
    .map(([accountId]) => accountId);
  await peopleHooks.on.teamChanged(tx, scope, {
    kind,
    to,
    business: { id: locked.businessId, name: locked.name },
    personName,
    role: row.role,
    event: `${row.id}/${scope.actor.accountId}/${row.sends}`,
  });
}
