import type { OwnerChange } from '@nearhand/contract/people/team';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { addMember, assignRole, dropMember, lockTeam } from '../businesses/members.service.ts';
import { endOfferOf } from './ownership.service.ts';
import {
  findExisting,
  findOwnerMove,
  findOwnerMovesSince,
  insertMove,
  markUndone,
  type OwnerMoveRow,
} from './team.sql.ts';
import { revokeOwnerInvitations, revokeSentBy } from './team-invitations.service.ts';
import { sendOwnerNews, undoEnd } from './team-timers.service.ts';

type OfMove = { teamMoveId: string };

/** A change of owners, for those who owned the business before it. @throws team/change-not-found */
export async function ownerChange(db: Db, scope: Scope, { teamMoveId }: OfMove): Promise<OwnerChange> {
  return viewOf(await requireChange(db, scope, teamMoveId), scope.clock.now());
}

/**
 * Restores the owners from before a change: whoever stopped being one is one again, and whoever became one since gets their earlier role, or leaves.
 * Later changes of owners count as undone too, and open invitations to become an owner end. For those who owned the business before, also one who
 * was removed: a thief of a session could have removed them. A repeat is a no-op.
 * @throws team/change-not-found, team/change-over
 */
export async function undoOwnerChange(tx: Tx, scope: Scope, { teamMoveId }: OfMove): Promise<OwnerChange> {
  const { business_id: businessId } = await requireChange(tx, scope, teamMoveId);
  const locked = await lockTeam(tx, businessId);
  const change = await requireChange(tx, scope, teamMoveId);
  const now = scope.clock.now();
  const { status } = viewOf(change, now);
  if (status === 'undone') return viewOf(change, now);
  if (status === 'over') throw new AppError('team/change-over');
  const undone = await findOwnerMovesSince(tx, change);
  const owners = await findExisting(tx, change.owners_before ?? []);
  const others = [...locked.roles].filter(([id, role]) => role === 'owner' && !owners.includes(id));
  for (const [accountId] of others) {
    const earlier = undone.find(
      (move) => move.account_id === accountId && move.to_role === 'owner',
    )?.from_role;
    await (earlier ? assignRole(tx, locked, accountId, earlier) : dropMember(tx, locked, accountId));
    await revokeSentBy(tx, scope, locked, accountId);
    await endOfferOf(tx, scope, locked, accountId);
  }
  for (const accountId of owners) {
    const role = locked.roles.get(accountId);
    if (role === undefined)
      await addMember(tx, locked, { accountId, role: 'owner', branchIds: null, at: now });
    else if (role !== 'owner') await assignRole(tx, locked, accountId, 'owner');
  }
  await revokeOwnerInvitations(tx, scope, locked);
  await markUndone(tx, undone, now);
  const id = newId(now);
  await insertMove(tx, {
    id,
    business_id: businessId,
    actor_id: scope.actor.accountId,
    action: 'owners-restored',
    account_id: change.account_id,
    at: now,
  });
  for (const accountId of new Set([...owners, ...others.map(([other]) => other)]))
    await enqueue(tx, sendOwnerNews, { moveId: id, accountId });
  return viewOf({ ...change, undone_at: now }, now);
}

async function requireChange(db: Db, { actor }: Scope, moveId: string): Promise<OwnerMoveRow> {
  const move = await findOwnerMove(db, moveId);
  if (!move?.owners_before?.includes(actor.accountId)) throw new AppError('team/change-not-found');
  return move;
}

const viewOf = (move: OwnerMoveRow, now: Date): OwnerChange => ({
  id: move.id,
  businessName: move.business_name,
  personName: move.subject,
  change: move.to_role === 'owner' ? 'became-owner' : 'no-longer-owner',
  actorName: move.actor_name,
  at: move.at.toISOString(),
  undoBy: undoEnd(move.at).toISOString(),
  status: move.undone_at ? 'undone' : undoEnd(move.at) <= now ? 'over' : 'open',
});
