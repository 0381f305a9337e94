import type { MemberRole } from '@nearhand/contract/operation';
import type { TeamInvitationStatus } from '@nearhand/contract/people/team';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { TeamInvitations } from '../../platform/tables.gen.ts';

export type InvitationRow = {
  id: string;
  business_id: string;
  role: MemberRole;
  email: string | null;
  branch_ids: string[] | null;
  status: TeamInvitationStatus;
  max_uses: number;
  uses: number;
  sends: number;
  undelivered: boolean;
  invited_by: string;
  asked_by: string | null;
  created_at: Date;
  sent_at: Date;
  expires_at: Date;
  inviter_name: string;
  inviter_email: string;
  asker_name: string | null;
  asker_email: string | null;
};

const invitations = (db: Db) =>
  db
    .selectFrom('team_invitations as invitation')
    .innerJoin('accounts as inviter', 'inviter.id', 'invitation.invited_by')
    .leftJoin('accounts as asker', 'asker.id', 'invitation.asked_by')
    .select(['invitation.id', 'invitation.business_id', 'invitation.email', 'invitation.max_uses'])
    .select('invitation.branch_ids')
    .select(['invitation.uses', 'invitation.sends', 'invitation.undelivered', 'invitation.invited_by'])
    .select(['invitation.asked_by', 'invitation.created_at', 'invitation.sent_at', 'invitation.expires_at'])
    .select([
      'inviter.name as inviter_name',
      'inviter.email as inviter_email',
      'asker.name as asker_name',
      'asker.email as asker_email',
    ])
    .select((eb) => [
      eb.ref('invitation.role').$castTo<MemberRole>().as('role'),
      eb.ref('invitation.status').$castTo<TeamInvitationStatus>().as('status'),
    ]);

/** Invitations and links of a business, newest first, after the row of the cursor. */
export async function findInvitations(
  db: Db,
  businessId: string,
  after: readonly [at: string, id: string] | null,
  most: number,
): Promise<InvitationRow[]> {
  let query = invitations(db).where('invitation.business_id', '=', businessId);
  if (after)
    query = query.where(
      sql<boolean>`(invitation.created_at, invitation.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    );
  return query
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(most)
    .execute();
}

export const findInvitation = (db: Db, invitationId: string): Promise<InvitationRow | undefined> =>
  invitations(db).where('invitation.id', '=', invitationId).executeTakeFirst();

export const findByTokenHash = (db: Db, hash: string): Promise<InvitationRow | undefined> =>
  invitations(db).where('invitation.token_hash', '=', hash).executeTakeFirst();

/** What someone without access sees of the inviting business. */
export async function findInviting(
  db: Db,
  businessId: string,
): Promise<{ name: string; area: string; status: string; time_zone: string; logo_file_id: string | null }> {
  return db
    .selectFrom('businesses')
    .select(['name', 'area', 'status', 'time_zone', 'logo_file_id'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
}

/** How many invitations of a business can still be used. */
export async function countOpen(db: Db, businessId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('team_invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('business_id', '=', businessId)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether an address is that of a member. */
export async function isMemberAddress(db: Db, businessId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('business_members')
    .innerJoin('accounts', 'accounts.id', 'business_members.account_id')
    .select('accounts.id')
    .where('business_members.business_id', '=', businessId)
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

/** The open invitations of a business to become an owner. */
export const findOpenToOwn = (db: Db, businessId: string): Promise<InvitationRow[]> =>
  invitations(db)
    .where('invitation.business_id', '=', businessId)
    .where('invitation.role', '=', 'owner')
    .where('invitation.status', '=', 'open')
    .execute();

/** The open invitation to an address, also one whose time is over and whose timer has not run. */
export async function findOpenTo(
  db: Db,
  businessId: string,
  email: string,
): Promise<{ id: string; expires_at: Date } | undefined> {
  return db
    .selectFrom('team_invitations')
    .select(['id', 'expires_at'])
    .where('business_id', '=', businessId)
    .where('email', '=', email)
    .where('status', '=', 'open')
    .executeTakeFirst();
}

export async function insertInvitation(tx: Tx, row: Insertable<TeamInvitations>): Promise<void> {
  await tx.insertInto('team_invitations').values(row).execute();
  emitTeam(tx, row.business_id);
}

/** Gives an invitation a new token and another week, whatever became of its last one; an address only where it changes. */
export async function reopenInvitation(
  tx: Tx,
  invitation: { id: string; business_id: string },
  change: { token_hash: string; sent_at: Date; expires_at: Date; email?: string },
): Promise<void> {
  await tx
    .updateTable('team_invitations')
    .set((eb) => ({
      ...change,
      status: 'open',
      undelivered: false,
      asked_by: null,
      sends: eb('sends', '+', 1),
    }))
    .where('id', '=', invitation.id)
    .execute();
  emitTeam(tx, invitation.business_id);
}

/** Counts someone who joined; the last possible one closes the invitation. False if it is no longer open. */
export async function takeInvitation(
  tx: Tx,
  invitation: { id: string; business_id: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('team_invitations')
    .set((eb) => ({
      uses: eb('uses', '+', 1),
      status: sql<string>`case when uses + 1 = max_uses then 'accepted' else status end`,
    }))
    .where('id', '=', invitation.id)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitTeam(tx, invitation.business_id);
  return numUpdatedRows === 1n;
}

/** Ends an open invitation; false if it ended before. */
export async function endInvitation(
  tx: Tx,
  invitation: { id: string; business_id: string },
  to: 'declined' | 'expired' | 'revoked',
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('team_invitations')
    .set({ status: to })
    .where('id', '=', invitation.id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitTeam(tx, invitation.business_id);
  return numUpdatedRows === 1n;
}

/** Open invitations that a member sent to a business. */
export async function findSentBy(
  db: Db,
  businessId: string,
  accountId: string,
): Promise<{ id: string; email: string | null; role: string; business_id: string }[]> {
  return db
    .selectFrom('team_invitations')
    .select(['id', 'email', 'role', 'business_id'])
    .where('invited_by', '=', accountId)
    .where('business_id', '=', businessId)
    .where('status', '=', 'open')
    .execute();
}

/** Notes who asks for an invitation to their own address; the last one counts. */
export async function setAsker(
  tx: Tx,
  invitation: { id: string; business_id: string },
  accountId: string,
): Promise<void> {
  await tx
    .updateTable('team_invitations')
    .set({ asked_by: accountId })
    .where('id', '=', invitation.id)
    .execute();
  emitTeam(tx, invitation.business_id);
}

/** The mail server of the address refused a mail, unless it was sent again since. */
export async function markUndelivered(tx: Tx, invitationId: string, sends: number): Promise<void> {
  const row = await tx
    .updateTable('team_invitations')
    .set({ undelivered: true })
    .where('id', '=', invitationId)
    .where('sends', '=', sends)
    .returning('business_id')
    .executeTakeFirst();
  if (row) emitTeam(tx, row.business_id);
}

/** Whether this account joined by this invitation. */
export async function hasJoinedBy(db: Db, invitationId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('team_moves')
    .select('id')
    .where('invitation_id', '=', invitationId)
    .where('account_id', '=', accountId)
    .where('action', '=', 'joined')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const emitTeam = (tx: Tx, businessId: string): void =>
  emitRecord(tx, 'business', { id: businessId, businessId });
