import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { OwnerChange, Team, TeamMember, TeamMove, TeamMoveName } from '@nearhand/contract/people/team';
import { managedRoles, type RoleBelowOwner, roleMay } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { branchLimit, limitNames } from '../branches/member-branches.ts';
import { reverifyOwner } from '../businesses/business-lifecycle.ts';
import {
  addMember,
  assignRole,
  dropMember,
  type LockedTeam,
  lockTeam,
  requireMay,
} from '../businesses/businesses.ts';
import { findLastOwned } from '../businesses/members.sql.ts';
import { peopleHooks, type TeamNews } from '../hooks.ts';
import { canManage, canUndo, memberActionsFor, roleChoicesFor } from './invitation-views.ts';
import { currentOffer, endOfferOf } from './ownership.ts';
import { ownersAfterUndo } from './team.rules.ts';
import {
  areOwnersFrozen,
  findBroughtIn,
  findExisting,
  findOwnerMove,
  findOwnerMoves,
  findOwnerMovesSince,
  findPerson,
  findRemovals,
  findTeam,
  insertOwnerMove,
  type MemberRow,
  markUndone,
  type OwnerMoveRow,
} from './team.sql.ts';
import { revokeOwnerInvitations, revokeSentBy } from './team-invitations.ts';
import { logMemberMove, sendOwnerNewsTask, undoEnd } from './team-timers.ts';

type OfMove = { teamMoveId: string };

/** A change of owners, for the previous owners. */
export async function ownerChange(db: Db, scope: Scope, { teamMoveId }: OfMove): Promise<OwnerChange> {
  return toOwnerChange(await requireChange(db, scope, teamMoveId), scope);
}

/**
 * Restores previous owners, even removed ones: a stolen session could have removed them. Owners are then
 * frozen until an operator verifies the business (ADR 164).
 */
export async function undoOwnerChange(tx: Tx, scope: Scope, { teamMoveId }: OfMove): Promise<OwnerChange> {
  const { businessId } = await requireChange(tx, scope, teamMoveId);
  const locked = await lockTeam(tx, businessId);
  const change = await requireChange(tx, scope, teamMoveId);
  const now = scope.clock.now();
  const { status } = toOwnerChange(change, scope);
  if (status === 'undone') return toOwnerChange(change, scope);
  if (status === 'over') throw new AppError('team/change-over');
  const undone = await findOwnerMovesSince(tx, change);
  const owners = await findExisting(tx, change.ownersBefore ?? []);
  const { formerOwners, demoted, restored } = ownersAfterUndo({ roles: locked.roles, moves: undone, owners });
  const broughtIn = (await findBroughtIn(tx, change, formerOwners)).filter((id) => !owners.includes(id));
  for (const accountId of broughtIn) {
    const role = locked.roles.get(accountId);
    if (role === undefined) continue;
    await endMembership(tx, scope, locked, { accountId, role, action: 'removed' });
    await notifyOfTeam(tx, scope, locked, { kind: 'removed', to: [accountId], accountId, role });
  }
  for (const { accountId, before } of demoted) {
    await (before
      ? assignRole(tx, locked, accountId, before.role, before.branchIds)
      : dropMember(tx, locked, accountId));
    await revokeSentBy(tx, scope, locked, accountId);
    await endOfferOf(tx, scope, locked, accountId);
  }
  for (const { accountId, isMember } of restored)
    await (isMember
      ? assignRole(tx, locked, accountId, 'owner')
      : addMember(tx, locked, { accountId, role: 'owner', branchIds: null, at: now }));
  await revokeOwnerInvitations(tx, scope, locked);
  await markUndone(tx, undone, now);
  const id = newId(now);
  await insertOwnerMove(tx, {
    id,
    businessId,
    actorId: scope.actor.accountId,
    action: 'owners-restored',
    accountId: change.accountId,
    at: now,
  });
  await reverifyOwner(tx, scope, locked);
  for (const accountId of new Set([...owners, ...formerOwners]))
    await enqueue(tx, sendOwnerNewsTask, { moveId: id, accountId });
  return toOwnerChange({ ...change, undoneAt: now }, scope);
}

async function requireChange(db: Db, { actor }: Scope, moveId: string): Promise<OwnerMoveRow> {
  const move = await findOwnerMove(db, moveId);
  if (!move?.ownersBefore?.includes(actor.accountId)) throw new AppError('team/change-not-found');
  return move;
}

function undoStatus(move: OwnerMoveRow, accountId: string, now: Date): OwnerChange['status'] {
  if (move.undoneAt) return 'undone';
  return canUndo(move, accountId) && undoEnd(move.at) > now ? 'open' : 'over';
}

const toOwnerChange = (move: OwnerMoveRow, { actor, clock }: Scope): OwnerChange => ({
  id: move.id,
  businessName: move.businessName,
  personName: move.subject,
  change: move.toRole === 'owner' ? 'became-owner' : 'no-longer-owner',
  actorName: move.actorName,
  at: move.at.toISOString(),
  undoBy: undoEnd(move.at).toISOString(),
  status: undoStatus(move, actor.accountId, clock.now()),
});

/** Lists members and what the caller may do to each. For any member. */
export async function teamOf(db: Db, scope: Scope, input: { businessId: string }): Promise<Team> {
  const { accountId } = scope.actor;
  const role = await requireMay(db, input.businessId, accountId, 'view');
  const rows = await findTeam(db, input.businessId, accountId);
  const isLastOwner = (await findLastOwned(db, accountId, input.businessId)).length > 0;
  const offer = await currentOffer(db, scope, input.businessId);
  const namesOf = await limitNames(db, input.businessId);
  const ownersFrozen = await areOwnersFrozen(db, input.businessId);
  return {
    members: rows.map((row) =>
      toMember(row, { accountId, role, isLastOwner, ownersFrozen, offered: offer !== null, namesOf }),
    ),
    invitableRoles: managedRoles(role).filter((target) => target !== 'owner' || !ownersFrozen),
    seesLog: roleMay(role, 'ownership'),
    ownershipOffer: offer,
    ownersFrozen,
  };
}

type NamesOf = Awaited<ReturnType<typeof limitNames>>;

function toMember(
  row: MemberRow,
  caller: {
    accountId: string;
    role: MemberRole;
    isLastOwner: boolean;
    ownersFrozen: boolean;
    offered: boolean;
    namesOf: NamesOf;
  },
): TeamMember {
  const isYou = row.accountId === caller.accountId;
  const seesAddress = isYou || roleMay(caller.role, 'team');
  const actions = memberActionsFor(caller.role, { role: row.role, isYou }, caller);
  return {
    accountId: row.accountId,
    name: row.name,
    email: seesAddress ? row.email : null,
    photoPath: row.photoFileId && fileContentPath(row.photoFileId),
    role: row.role,
    branches: caller.namesOf(row.branchIds),
    roleChoices: roleChoicesFor(caller.role, { role: row.role, isYou }),
    actions: actions.filter((action) => action !== 'offer-ownership' || !caller.offered),
    isYou,
    joinedAt: row.createdAt.toISOString(),
    lastActiveOn: row.activeAt?.toISOString().slice(0, 10) ?? null,
  };
}

/** Team changes, newest first. Owners only. */
export async function teamLog(
  db: Db,
  scope: Scope,
  input: { businessId: string } & PageInput,
): Promise<Page<TeamMove>> {
  await requireMay(db, input.businessId, scope.actor.accountId, 'ownership');
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findOwnerMoves(db, input.businessId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      action: row.action,
      actorName: row.actorName,
      subject: row.subject,
      fromRole: row.fromRole,
      toRole: row.toRole,
      at: row.at.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

/** Changes the role or branches of a member the caller manages. */
export async function changeMemberRole(
  tx: Tx,
  scope: Scope,
  input: {
    businessId: string;
    memberId: string;
    role: RoleBelowOwner;
    branchIds: BranchLimit;
    fromRole: MemberRole;
  },
): Promise<Team> {
  const { locked, from } = await lockMember(tx, scope, input);
  if (from === undefined) throw new AppError('team/member-not-found');
  const ownRole = locked.roles.get(scope.actor.accountId) ?? null;
  if (!canManage(ownRole, input.role)) throw new AppError('business/not-allowed');
  const limit = await branchLimit(tx, input.businessId, input.role, input.branchIds);
  const before = locked.limits.get(input.memberId) ?? null;
  const isLimitChanged = [...(limit ?? [])].sort().join() !== [...(before ?? [])].sort().join();
  if (from !== input.role && from !== input.fromRole) throw new AppError('team/role-changed', { role: from });
  if (from !== input.role) await assertOtherOwner(tx, locked, input.memberId);
  if (from !== input.role || isLimitChanged) await assignRole(tx, locked, input.memberId, input.role, limit);
  if (from !== input.role) {
    await revokeSentBy(tx, scope, locked, input.memberId);
    await endOfferOf(tx, scope, locked, input.memberId);
    await logMember(tx, scope, locked, {
      action: 'role-changed',
      accountId: input.memberId,
      from,
      to: input.role,
    });
    await notifyOfTeam(tx, scope, locked, {
      kind: 'role-changed',
      to: [input.memberId],
      accountId: input.memberId,
      role: input.role,
    });
  } else if (isLimitChanged)
    await logMember(tx, scope, locked, {
      action: 'branches-changed',
      accountId: input.memberId,
      from,
      to: input.role,
    });
  return teamOf(tx, scope, input);
}

/** Removes a member at once; drafts, notes and conversations stay. */
export async function removeMember(
  tx: Tx,
  scope: Scope,
  input: { businessId: string; memberId: string },
): Promise<Team> {
  const { locked, from } = await lockMember(tx, scope, input);
  if (from !== undefined) {
    await assertOtherOwner(tx, locked, input.memberId);
    await endMembership(tx, scope, locked, { accountId: input.memberId, role: from, action: 'removed' });
    await notifyOfTeam(tx, scope, locked, {
      kind: 'removed',
      to: [input.memberId],
      accountId: input.memberId,
      role: from,
    });
  }
  return teamOf(tx, scope, input);
}

/** The caller's removals of the last 90 days, without teams that they joined again. */
export async function myRemovals(db: Db, scope: Scope) {
  const since = subtractMs(scope.clock.now(), 90 * dayMs);
  const rows = await findRemovals(db, scope.actor.accountId, since);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Leaves a business. For any member. */
export async function leaveTeam(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ businessId: string }> {
  const { accountId } = scope.actor;
  await requireMay(tx, businessId, accountId, 'view');
  const locked = await lockTeam(tx, businessId);
  const role = locked.roles.get(accountId);
  if (role === undefined) throw new AppError('business/not-found');
  await assertOtherOwner(tx, locked, accountId);
  await endMembership(tx, scope, locked, { accountId, role, action: 'left' });
  const managers = [...locked.roles].filter(
    ([id, memberRole]) => id !== accountId && canManage(memberRole, role),
  );
  await notifyOfTeam(tx, scope, locked, { kind: 'left', to: managers.map(([id]) => id), accountId, role });
  return { businessId };
}

async function endMembership(
  tx: Tx,
  scope: Scope,
  locked: LockedTeam,
  { accountId, role, action }: { accountId: string; role: MemberRole; action: 'removed' | 'left' },
): Promise<void> {
  await dropMember(tx, locked, accountId);
  await revokeSentBy(tx, scope, locked, accountId);
  await endOfferOf(tx, scope, locked, accountId);
  await logMember(tx, scope, locked, { action, accountId, from: role, to: null });
}

/** @throws business/not-found, business/not-allowed */
async function lockMember(tx: Tx, scope: Scope, input: { businessId: string; memberId: string }) {
  const { accountId } = scope.actor;
  await requireMay(tx, input.businessId, accountId, 'team');
  const locked = await lockTeam(tx, input.businessId);
  const ownRole = locked.roles.get(accountId) ?? null;
  const from = locked.roles.get(input.memberId);
  if (
    !roleMay(ownRole, 'team') ||
    input.memberId === accountId ||
    (from !== undefined && !canManage(ownRole, from))
  )
    throw new AppError('business/not-allowed');
  return { locked, from };
}

/** @throws team/last-owner */
async function assertOtherOwner(tx: Tx, { businessId }: LockedTeam, accountId: string): Promise<void> {
  if ((await findLastOwned(tx, accountId, businessId)).length > 0) throw new AppError('team/last-owner');
}

async function logMember(
  tx: Tx,
  scope: Scope,
  locked: LockedTeam,
  move: { action: TeamMoveName; accountId: string; from: MemberRole; to: MemberRole | null },
): Promise<void> {
  const now = scope.clock.now();
  await logMemberMove(tx, locked, {
    id: newId(now),
    businessId: locked.businessId,
    actorId: scope.actor.accountId,
    action: move.action,
    accountId: move.accountId,
    fromRole: move.from,
    toRole: move.to,
    at: now,
  });
}

async function notifyOfTeam(
  tx: Tx,
  scope: Scope,
  { businessId, name }: LockedTeam,
  news: Pick<TeamNews, 'kind' | 'to' | 'role'> & { accountId: string },
): Promise<void> {
  const person = await findPerson(tx, news.accountId);
  await peopleHooks.on.teamChanged(tx, scope, {
    kind: news.kind,
    to: news.to,
    role: news.role,
    personName: person.name,
    business: { id: businessId, name },
    event: `${businessId}/${news.accountId}/${scope.clock.now().toISOString()}`,
  });
}
