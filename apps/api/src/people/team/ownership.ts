import { addMs, dayMs } from '@nearhand/contract/durations';
import type { OwnershipOffer, TeamMoveName } from '@nearhand/contract/people/team';
import { roleMay, teamLimits } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask, enqueue } from '../../platform/tasks/tasks.ts';
import { reverifyOwner } from '../businesses/business-lifecycle.ts';
import { assignRole, type LockedTeam, lockTeam, requireMay } from '../businesses/businesses.ts';
import { peopleHooks, type TeamNews } from '../hooks.ts';
import {
  areOwnersFrozen,
  endOffer,
  findOpenOffer,
  findPerson,
  insertOwnerMove,
  insertOwnershipOffer,
  type OwnershipOfferRow,
} from './team.sql.ts';
import { expireOwnershipTask, logMemberMove, ownershipKey } from './team-timers.ts';

type OfBusiness = { businessId: string };

/** The pending offer of ownership from the caller's point of view; null if expired or none. */
export async function currentOffer(db: Db, scope: Scope, businessId: string): Promise<OwnershipOffer | null> {
  const { accountId } = scope.actor;
  const row = await findOpenOffer(db, businessId);
  if (!row || row.expiresAt <= scope.clock.now()) return null;
  return { ...row, you: offerParty(row, accountId), expiresAt: row.expiresAt.toISOString() };
}

function offerParty(
  { fromAccountId, toAccountId }: { fromAccountId: string; toAccountId: string },
  accountId: string,
) {
  if (fromAccountId === accountId) return 'from';
  return toAccountId === accountId ? 'to' : 'other';
}

/** Offers ownership to another member; owners only. The giver becomes a manager on acceptance. Idempotent. */
export async function offerOwnership(
  tx: Tx,
  scope: Scope,
  { businessId, memberId }: OfBusiness & { memberId: string },
): Promise<void> {
  const { accountId } = scope.actor;
  const locked = await lockOwned(tx, scope, businessId);
  const role = locked.roles.get(memberId);
  if (role === undefined) throw new AppError('team/member-not-found');
  if (role === 'owner') throw new AppError('business/not-allowed');
  assertHandable(locked);
  if (await areOwnersFrozen(tx, businessId)) throw new AppError('team/owners-frozen');
  const before = await openOffer(tx, scope, businessId);
  if (before?.toAccountId === memberId && before.fromAccountId === accountId) return;
  if (before) throw new AppError('team/ownership-open');
  const now = scope.clock.now();
  const id = newId(now);
  const expiresAt = addMs(now, teamLimits.ownershipDays * dayMs);
  await insertOwnershipOffer(tx, {
    id,
    businessId,
    fromAccountId: accountId,
    toAccountId: memberId,
    status: 'open',
    createdAt: now,
    expiresAt,
  });
  await enqueue(tx, expireOwnershipTask, { offerId: id }, { runAt: expiresAt, key: ownershipKey(id) });
  await logOwnership(tx, scope, locked, 'ownership-offered', memberId);
  await notifyOfOwnership(tx, scope, locked, {
    kind: 'ownership-offered',
    to: [memberId],
    about: accountId,
    event: id,
    by: expiresAt,
  });
}

/** Withdraws the open offer. Any owner. */
export async function withdrawOwnership(tx: Tx, scope: Scope, { businessId }: OfBusiness): Promise<void> {
  const locked = await lockOwned(tx, scope, businessId);
  const offer = await requireOffer(tx, scope, businessId);
  await endOwnershipOffer(tx, scope, locked, offer, 'withdrawn');
}

/** Accepts an offered business, which must be verified again. */
export async function acceptOwnership(tx: Tx, scope: Scope, { businessId }: OfBusiness): Promise<void> {
  const { locked, offer } = await lockReceived(tx, scope, businessId);
  assertHandable(locked);
  if (!(await endOffer(tx, offer, 'accepted'))) throw new AppError('team/no-ownership-offer');
  await cancelTask(tx, ownershipKey(offer.id));
  await assignRole(tx, locked, offer.toAccountId, 'owner');
  await assignRole(tx, locked, offer.fromAccountId, 'manager');
  await reverifyOwner(tx, scope, locked);
  const now = scope.clock.now();
  await logMemberMove(tx, locked, {
    id: newId(now),
    businessId,
    actorId: scope.actor.accountId,
    action: 'ownership-accepted',
    accountId: offer.toAccountId,
    fromRole: locked.roles.get(offer.toAccountId) ?? null,
    toRole: 'owner',
    at: now,
  });
  const to = [...locked.roles.keys()].filter((accountId) => accountId !== offer.toAccountId);
  await notifyOfOwnership(tx, scope, locked, {
    kind: 'ownership-accepted',
    to,
    about: offer.toAccountId,
    event: offer.id,
  });
}

/** Declines an offer made to the caller. */
export async function declineOwnership(tx: Tx, scope: Scope, { businessId }: OfBusiness): Promise<void> {
  const { locked, offer } = await lockReceived(tx, scope, businessId);
  await endOwnershipOffer(tx, scope, locked, offer, 'declined');
  await notifyOfOwnership(tx, scope, locked, {
    kind: 'ownership-declined',
    to: [offer.fromAccountId],
    about: offer.toAccountId,
    event: offer.id,
  });
}

/** Ends an offer from or to a member whose role changed or who left. */
export async function endOfferOf(tx: Tx, scope: Scope, locked: LockedTeam, accountId: string): Promise<void> {
  const offer = await findOpenOffer(tx, locked.businessId);
  if (!offer || ![offer.fromAccountId, offer.toAccountId].includes(accountId)) return;
  await endOwnershipOffer(tx, scope, locked, offer, 'withdrawn');
}

async function endOwnershipOffer(
  tx: Tx,
  scope: Scope,
  locked: LockedTeam,
  offer: OwnershipOfferRow,
  to: 'declined' | 'withdrawn',
): Promise<void> {
  if (!(await endOffer(tx, offer, to))) throw new AppError('team/no-ownership-offer');
  await cancelTask(tx, ownershipKey(offer.id));
  await logOwnership(tx, scope, locked, `ownership-${to}`, offer.toAccountId);
}

/** @throws business/not-found, business/not-allowed */
async function lockOwned(tx: Tx, scope: Scope, businessId: string): Promise<LockedTeam> {
  await requireMay(tx, businessId, scope.actor.accountId, 'ownership');
  const locked = await lockTeam(tx, businessId);
  if (!roleMay(locked.roles.get(scope.actor.accountId) ?? null, 'ownership'))
    throw new AppError('business/not-allowed');
  return locked;
}

/** @throws business/not-found, team/no-ownership-offer */
async function lockReceived(tx: Tx, scope: Scope, businessId: string) {
  await requireMay(tx, businessId, scope.actor.accountId, 'view');
  const locked = await lockTeam(tx, businessId);
  const offer = await requireOffer(tx, scope, businessId);
  if (offer.toAccountId !== scope.actor.accountId) throw new AppError('team/no-ownership-offer');
  return { locked, offer };
}

async function openOffer(tx: Tx, scope: Scope, businessId: string): Promise<OwnershipOfferRow | undefined> {
  const offer = await findOpenOffer(tx, businessId);
  if (!offer || offer.expiresAt > scope.clock.now()) return offer;
  await endOffer(tx, offer, 'expired');
  return undefined;
}

async function requireOffer(tx: Tx, scope: Scope, businessId: string): Promise<OwnershipOfferRow> {
  const offer = await openOffer(tx, scope, businessId);
  if (!offer) throw new AppError('team/no-ownership-offer');
  return offer;
}

/** A suspended business must stay with the owners that it was suspended for. */
function assertHandable({ status }: LockedTeam): void {
  if (['closed', 'suspended', 'rejected', 'resubmitted'].includes(status))
    throw new AppError('business/wrong-state', { status });
}

async function logOwnership(
  tx: Tx,
  scope: Scope,
  { businessId }: LockedTeam,
  action: TeamMoveName,
  accountId: string,
): Promise<void> {
  const now = scope.clock.now();
  await insertOwnerMove(tx, {
    id: newId(now),
    businessId,
    actorId: scope.actor.accountId,
    action,
    accountId,
    at: now,
  });
}

async function notifyOfOwnership(
  tx: Tx,
  scope: Scope,
  { businessId, name }: LockedTeam,
  news: Pick<TeamNews, 'kind' | 'to' | 'event' | 'by'> & { about: string },
): Promise<void> {
  const { about, ...rest } = news;
  const person = await findPerson(tx, about);
  await peopleHooks.on.teamChanged(tx, scope, {
    ...rest,
    personName: person.name,
    role: 'owner',
    business: { id: businessId, name },
  });
}
