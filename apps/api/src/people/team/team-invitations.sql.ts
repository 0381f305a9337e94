import type { MemberRole } from '@nearhand/contract/member-roles';
import type { TeamInvitationStatus } from '@nearhand/contract/people/team';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { TeamInvitations } from '../../platform/tables.gen.ts';

export type InvitationRow = {
  id: string;
  businessId: string;
  role: MemberRole;
  email: string | null;
  branchIds: string[] | null;
  status: TeamInvitationStatus;
  maxUses: number;
  uses: number;
  sends: number;
  undelivered: boolean;
  invitedBy: string;
  askedBy: string | null;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
  inviterName: string;
  inviterEmail: string;
  askerName: string | null;
  askerEmail: string | null;
};

const invitations = (db: Db) =>
  db
    .selectFrom('team_invitations as invitation')
    .innerJoin('accounts as inviter', 'inviter.id', 'invitation.invitedBy')
    .leftJoin('accounts as asker', 'asker.id', 'invitation.askedBy')
    .select(['invitation.id', 'invitation.businessId', 'invitation.email', 'invitation.maxUses'])
    .select('invitation.branchIds')
    .select(['invitation.uses', 'invitation.sends', 'invitation.undelivered', 'invitation.invitedBy'])
    .select(['invitation.askedBy', 'invitation.createdAt', 'invitation.sentAt', 'invitation.expiresAt'])
    .select([
      'inviter.name as inviterName',
      'inviter.email as inviterEmail',
      'asker.name as askerName',
      'asker.email as askerEmail',
    ])
    .select((eb) => [
      eb.ref('invitation.role').$castTo<MemberRole>().as('role'),
      eb.ref('invitation.status').$castTo<TeamInvitationStatus>().as('status'),
    ]);

export async function findInvitations(
  db: Db,
  businessId: string,
  after: readonly [at: string, id: string] | null,
  limit: number,
): Promise<InvitationRow[]> {
  // People who accepted are listed as members.
  let query = invitations(db)
    .where('invitation.businessId', '=', businessId)
    .where('invitation.status', '<>', 'accepted');
  if (after)
    query = query.where(
      sql<boolean>`(invitation.created_at, invitation.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    );
  return query
    .orderBy('invitation.createdAt', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(limit)
    .execute();
}

export const findInvitation = (db: Db, invitationId: string): Promise<InvitationRow | undefined> =>
  invitations(db).where('invitation.id', '=', invitationId).executeTakeFirst();

/** Open invitations to an address, newest first. */
export const findReceived = (db: Db, email: string, now: Date) =>
  invitations(db)
    .innerJoin('businesses as business', 'business.id', 'invitation.businessId')
    .select('business.name as businessName')
    .where('invitation.email', '=', email)
    .where('invitation.status', '=', 'open')
    .where('invitation.expiresAt', '>', now)
    .where('business.status', '<>', 'closed')
    .orderBy('invitation.createdAt', 'desc')
    .limit(20)
    .execute();

/** The verified account with an address, if there is one. */
export async function findAccountByAddress(db: Db, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('emailVerified', '=', true)
    .executeTakeFirst();
  return row?.id ?? null;
}

export const findByTokenHash = (db: Db, hash: string): Promise<InvitationRow | undefined> =>
  invitations(db).where('invitation.tokenHash', '=', hash).executeTakeFirst();

export async function findInvitingBusiness(
  db: Db,
  businessId: string,
): Promise<{ name: string; area: string; status: string; timeZone: string; logoFileId: string | null }> {
  return db
    .selectFrom('businesses')
    .select(['name', 'area', 'status', 'timeZone', 'logoFileId'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
}

export async function countOpenInvitations(db: Db, businessId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('team_invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('businessId', '=', businessId)
    .where('status', '=', 'open')
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

export async function isMemberAddress(db: Db, businessId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('business_members')
    .innerJoin('accounts', 'accounts.id', 'business_members.accountId')
    .select('accounts.id')
    .where('business_members.businessId', '=', businessId)
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

export const findOpenToOwn = (db: Db, businessId: string): Promise<InvitationRow[]> =>
  invitations(db)
    .where('invitation.businessId', '=', businessId)
    .where('invitation.role', '=', 'owner')
    .where('invitation.status', '=', 'open')
    .execute();

/** The open invitation to an address, even if expired while its timer has not run. */
export async function findOpenTo(
  db: Db,
  businessId: string,
  email: string,
): Promise<{ id: string; expiresAt: Date } | undefined> {
  return db
    .selectFrom('team_invitations')
    .select(['id', 'expiresAt'])
    .where('businessId', '=', businessId)
    .where('email', '=', email)
    .where('status', '=', 'open')
    .executeTakeFirst();
}

export async function insertInvitation(tx: Tx, row: Insertable<TeamInvitations>): Promise<void> {
  await tx.insertInto('team_invitations').values(row).execute();
  emitTeam(tx, row.businessId);
}

/** Reopens an invitation with a new token for a week, in any status. */
export async function reopenInvitation(
  tx: Tx,
  invitation: { id: string; businessId: string },
  change: { tokenHash: string; sentAt: Date; expiresAt: Date; email?: string },
): Promise<void> {
  await tx
    .updateTable('team_invitations')
    .set((eb) => ({
      ...change,
      status: 'open',
      undelivered: false,
      askedBy: null,
      sends: eb('sends', '+', 1),
    }))
    .where('id', '=', invitation.id)
    .execute();
  emitTeam(tx, invitation.businessId);
}

/** Counts a join and closes a full invitation; false if it is no longer open. */
export async function consumeInvitation(
  tx: Tx,
  invitation: { id: string; businessId: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('team_invitations')
    .set((eb) => ({
      uses: eb('uses', '+', 1),
      status: sql<string>`case when uses + 1 = max_uses then 'accepted' else status end`.$castTo<
        'open' | 'accepted'
      >(),
    }))
    .where('id', '=', invitation.id)
    .where('status', '=', 'open')
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitTeam(tx, invitation.businessId);
  return numUpdatedRows === 1n;
}

/** Ends an open invitation. Returns false if it was accepted or ended before. */
export async function endInvitation(
  tx: Tx,
  invitation: { id: string; businessId: string },
  to: 'declined' | 'expired' | 'revoked',
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('team_invitations')
    .set({ status: to })
    .where('id', '=', invitation.id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitTeam(tx, invitation.businessId);
  return numUpdatedRows === 1n;
}

export async function findSentBy(
  db: Db,
  businessId: string,
  accountId: string,
): Promise<{ id: string; email: string | null; role: string; businessId: string }[]> {
  return db
    .selectFrom('team_invitations')
    .select(['id', 'email', 'role', 'businessId'])
    .where('invitedBy', '=', accountId)
    .where('businessId', '=', businessId)
    .where('status', '=', 'open')
    .execute();
}

/** Stores the latest request for an invitation to another address. */
export async function setAsker(
  tx: Tx,
  invitation: { id: string; businessId: string },
  accountId: string,
): Promise<void> {
  await tx
    .updateTable('team_invitations')
    .set({ askedBy: accountId })
    .where('id', '=', invitation.id)
    .execute();
  emitTeam(tx, invitation.businessId);
}

/** Records a bounce, unless the invitation was sent again since. */
export async function markUndelivered(tx: Tx, invitationId: string, sends: number): Promise<void> {
  const row = await tx
    .updateTable('team_invitations')
    .set({ undelivered: true })
    .where('id', '=', invitationId)
    .where('sends', '=', sends)
    .returning('businessId')
    .executeTakeFirst();
  if (row) emitTeam(tx, row.businessId);
}

export async function hasJoinedBy(db: Db, invitationId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('team_moves')
    .select('id')
    .where('invitationId', '=', invitationId)
    .where('accountId', '=', accountId)
    .where('action', '=', 'joined')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const emitTeam = (tx: Tx, businessId: string): void =>
  emitRecord(tx, 'business', { id: businessId, businessId });
