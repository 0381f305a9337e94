import { type MemberRole, memberRoles } from '@nearhand/contract/member-roles';
import type { TeamMoveName } from '@nearhand/contract/people/team';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { OwnershipOffers, TeamMoves } from '../../platform/tables.gen.ts';

export type MemberRow = {
  accountId: string;
  name: string;
  email: string;
  photoFileId: string | null;
  role: MemberRole;
  branchIds: string[] | null;
  createdAt: Date;
  activeAt: Date | null;
};

/** Members with their last activity, unless they hide it. */
export async function findTeam(db: Db, businessId: string, accountId: string): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select member.account_id, account.name, account.email, profile.photo_file_id, member.role, member.branch_ids, member.created_at,
      case when member.account_id = ${accountId} or coalesce(chat.shows_last_seen, true) then greatest(presence.last_seen_at,
        (select max(updated_at) from sessions where sessions.account_id = member.account_id)) end as active_at
    from business_members member
    join accounts account on account.id = member.account_id
    left join profiles profile on profile.account_id = member.account_id
    left join chat_settings chat on chat.account_id = member.account_id
    left join presence on presence.account_id = member.account_id
    where member.business_id = ${businessId}
    order by array_position(array[${literals(memberRoles)}], member.role), lower(account.name),
      member.account_id`.execute(db);
  return rows;
}

/** The last removal from each team that the account is no longer on, latest first. */
export async function findRemovals(
  db: Db,
  accountId: string,
  since: Date,
): Promise<{ businessId: string; businessName: string; at: Date }[]> {
  const { rows } = await sql<{ businessId: string; businessName: string; at: Date }>`
    select business_id, business.name as business_name, max(at) as at
    from team_moves join businesses business on business.id = business_id
    where account_id = ${accountId} and action = 'removed' and at > ${since} and not exists (
      select from business_members member
      where member.business_id = team_moves.business_id and member.account_id = ${accountId})
    group by business_id, business.name order by max(at) desc, business_id limit 10`.execute(db);
  return rows;
}

type TeamMoveRow = {
  id: string;
  action: TeamMoveName;
  actorName: string | null;
  subject: string | null;
  fromRole: MemberRole | null;
  toRole: MemberRole | null;
  at: Date;
};

export async function findOwnerMoves(
  db: Db,
  businessId: string,
  after: readonly [at: string, id: string] | null,
  limit: number,
): Promise<TeamMoveRow[]> {
  const from = andBefore(sql`move.at, move.id`, after);
  const { rows } = await sql<TeamMoveRow>`
    select move.id, move.action, coalesce(nullif(actor.name, ''), actor.email) as actor_name,
      coalesce(nullif(subject.name, ''), subject.email, move.email) as subject, move.from_role, move.to_role, move.at
    from team_moves move
    left join accounts actor on actor.id = move.actor_id
    left join accounts subject on subject.id = move.account_id
    where move.business_id = ${businessId} ${from}
    order by move.at desc, move.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function insertOwnerMove(
  tx: Tx,
  row: Insertable<TeamMoves> & { action: TeamMoveName },
): Promise<void> {
  await tx.insertInto('team_moves').values(row).execute();
  emitRecord(tx, 'business', { id: row.businessId, businessId: row.businessId });
}

export type OwnerMoveRow = {
  id: string;
  businessId: string;
  businessName: string;
  timeZone: string;
  action: TeamMoveName;
  accountId: string | null;
  fromRole: MemberRole | null;
  fromBranchIds: string[] | null;
  toRole: MemberRole | null;
  actorName: string;
  subject: string;
  at: Date;
  ownersBefore: string[] | null;
  undoneAt: Date | null;
  restoredBefore: string[];
};

const ownerMoves = sql`select move.id, move.business_id, business.name as business_name, business.time_zone, move.action, move.account_id,
    move.from_role, move.from_branch_ids, move.to_role, coalesce(nullif(actor.name, ''), actor.email, '') as actor_name,
    coalesce(nullif(subject.name, ''), subject.email, move.email, '') as subject, move.at, move.owners_before, move.undone_at,
    array(select restored.actor_id from team_moves restored where restored.business_id = move.business_id
      and restored.action = 'owners-restored' and restored.at < move.at) as restored_before
  from team_moves move
  join businesses business on business.id = move.business_id
  left join accounts actor on actor.id = move.actor_id
  left join accounts subject on subject.id = move.account_id`;

export async function findOwnerMove(db: Db, moveId: string): Promise<OwnerMoveRow | undefined> {
  return (await sql<OwnerMoveRow>`${ownerMoves} where move.id = ${moveId}`.execute(db)).rows[0];
}

/** Changes of owners, beginning with this one, oldest first, without undone ones. */
export async function findOwnerMovesSince(db: Db, change: OwnerMoveRow): Promise<OwnerMoveRow[]> {
  const { rows } =
    await sql<OwnerMoveRow>`${ownerMoves} where move.business_id = ${change.businessId} and move.at >= ${change.at}
    and move.owners_before is not null and move.undone_at is null order by move.at, move.id`.execute(db);
  return rows;
}

/** The owners were restored, and no operator has verified the business since. */
export async function areOwnersFrozen(db: Db, businessId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from team_moves restored
    where restored.business_id = ${businessId} and restored.action = 'owners-restored' and not exists (select from business_moves verified
      where verified.business_id = restored.business_id and verified.to_status = 'verified' and verified.at > restored.at)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Members invited since a change by these accounts, directly or in turn. */
export async function findBroughtIn(
  db: Db,
  change: OwnerMoveRow,
  accountIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    with recursive ended (account_id) as (
      select unnest(${accountIds}::uuid[])
      union
      select joined.account_id from ended
      join team_moves sent on sent.actor_id = ended.account_id and sent.business_id = ${change.businessId} and sent.at >= ${change.at}
        and sent.action in ('invited', 'link-created', 'resent', 'link-renewed')
      join team_moves joined on joined.invitation_id = sent.invitation_id and joined.action = 'joined' and joined.at >= sent.at)
    select account_id from ended where account_id <> all (${accountIds}::uuid[])`.execute(db);
  return rows.map((row) => row.accountId);
}

export async function findExisting(db: Db, accountIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', accountIds)
    .where('disabledAt', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Marks changes of owners as undone by a previous owner. */
export async function markUndone(tx: Tx, moves: readonly OwnerMoveRow[], now: Date): Promise<void> {
  await tx
    .updateTable('team_moves')
    .set({ undoneAt: now })
    .where(
      'id',
      'in',
      moves.map(({ id }) => id),
    )
    .execute();
  for (const { businessId: id } of moves) emitRecord(tx, 'business', { id, businessId: id });
}

/** Counts recent invitations of a business, and those to this address. */
export async function countSent(
  db: Db,
  businessId: string,
  email: string | null,
  since: Date,
): Promise<{ all: number; here: number }> {
  return db
    .selectFrom('team_moves')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('email', '=', email).as('here'),
    ])
    .where('businessId', '=', businessId)
    .where('at', '>', since)
    .where('action', 'in', ['invited', 'link-created', 'resent', 'link-renewed'])
    .executeTakeFirstOrThrow();
}

export async function findPerson(db: Db, accountId: string): Promise<{ name: string; email: string }> {
  const { name, email } = await db
    .selectFrom('accounts')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { name: name || email, email };
}

export type OwnershipOfferRow = {
  id: string;
  businessId: string;
  fromAccountId: string;
  toAccountId: string;
  fromName: string;
  toName: string;
  status: string;
  expiresAt: Date;
};

const offers = (db: Db) =>
  db
    .selectFrom('ownership_offers as offer')
    .innerJoin('accounts as giver', 'giver.id', 'offer.fromAccountId')
    .innerJoin('accounts as taker', 'taker.id', 'offer.toAccountId')
    .select(['offer.id', 'offer.businessId', 'offer.fromAccountId', 'offer.toAccountId'])
    .select(['giver.name as fromName', 'taker.name as toName', 'offer.status', 'offer.expiresAt']);

/** The open offer, even if it expired but its timer has not run. */
export const findOpenOffer = (db: Db, businessId: string): Promise<OwnershipOfferRow | undefined> =>
  offers(db).where('offer.businessId', '=', businessId).where('offer.status', '=', 'open').executeTakeFirst();

export const findOffer = (db: Db, offerId: string): Promise<OwnershipOfferRow | undefined> =>
  offers(db).where('offer.id', '=', offerId).executeTakeFirst();

export async function insertOwnershipOffer(tx: Tx, row: Insertable<OwnershipOffers>): Promise<void> {
  await tx.insertInto('ownership_offers').values(row).execute();
  emitRecord(tx, 'business', { id: row.businessId, businessId: row.businessId });
}

/** Ends an open offer of ownership. Returns false if it ended before. */
export async function endOffer(
  tx: Tx,
  offer: { id: string; businessId: string },
  to: 'accepted' | 'declined' | 'withdrawn' | 'expired',
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('ownership_offers')
    .set({ status: to })
    .where('id', '=', offer.id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (numUpdatedRows === 1n)
    emitRecord(tx, 'business', { id: offer.businessId, businessId: offer.businessId });
  return numUpdatedRows === 1n;
}

/** Ends a removed account's invitations and offers, and clears its address from the others. */
export async function eraseTeams(tx: Tx, accountId: string, email: string): Promise<void> {
  const { rows } = await sql<{ businessId: string; accountId: string }>`
    with offers as (
      update ownership_offers set status = 'withdrawn'
      where status = 'open' and (from_account_id = ${accountId} or to_account_id = ${accountId})
      returning business_id, from_account_id as account_id),
    sent as (
      update team_invitations set status = 'revoked' where status = 'open' and invited_by = ${accountId}
        and email is distinct from lower(${email})
      returning business_id, invited_by as account_id),
    received as (
      update team_invitations set status = case status when 'open' then 'revoked' else status end,
        email = 'former-' || id || '@former.invalid'
      where email = lower(${email}) returning business_id, invited_by as account_id),
    logged as (
      update team_moves set email = null where lower(email) = lower(${email}) and business_id in (
        select business_id from business_members where account_id = ${accountId}
        union select business_id from team_invitations where email = lower(${email}))
      returning business_id, account_id)
    select business_id, account_id from offers union select business_id, account_id from sent
    union select business_id, account_id from received`.execute(tx);
  for (const row of rows)
    emitRecord(tx, 'business', {
      id: row.businessId,
      businessId: row.businessId,
      workerId: row.accountId,
    });
}
