import type { MemberRole } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Membership } from '../../platform/members/job-members.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';

export async function insertMember(
  tx: Tx,
  row: {
    businessId: string;
    accountId: string;
    role: MemberRole;
    branchIds?: string[] | null;
    createdAt: Date;
  },
): Promise<void> {
  await tx.insertInto('business_members').values(row).execute();
  emitMember(tx, { businessId: row.businessId, accountId: row.accountId });
}

/** Changes a role and its branches; false if the role is no longer `from`. */
export async function updateMemberRole(
  tx: Tx,
  member: {
    businessId: string;
    accountId: string;
    from: MemberRole;
    to: MemberRole;
    branchIds: readonly string[] | null;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('business_members')
    .set({ role: member.to, branchIds: member.branchIds && [...member.branchIds] })
    .where('businessId', '=', member.businessId)
    .where('accountId', '=', member.accountId)
    .where('role', '=', member.from)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitMember(tx, member);
  return numUpdatedRows === 1n;
}

/** Removes a member, whose devices then leave the business's room; a no-op if there is none. */
export async function deleteMember(tx: Tx, member: { businessId: string; accountId: string }): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('business_members')
    .where('businessId', '=', member.businessId)
    .where('accountId', '=', member.accountId)
    .executeTakeFirst();
  if (numDeletedRows === 1n) emitMember(tx, member);
}

/** Signals the account too, because its devices join or leave the business's room. */
const emitMember = (tx: Tx, { businessId, accountId }: { businessId: string; accountId: string }): void =>
  emitRecord(tx, 'business', { id: businessId, businessId, workerId: accountId });

/** Returns the role of an account in a business; null for strangers. */
export async function findRole(db: Db, businessId: string, accountId: string): Promise<MemberRole | null> {
  const row = await db
    .selectFrom('business_members')
    .select('role')
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.role ?? null;
}

export async function findMember(
  db: Db,
  businessId: string,
  accountId: string,
): Promise<{ role: MemberRole; branchIds: string[] | null } | undefined> {
  return db
    .selectFrom('business_members')
    .select(['role', 'branchIds'])
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** The role at a job; null for a non-member and for those limited to other branches. */
export async function findRoleAt(db: Db, jobId: string, accountId: string): Promise<MemberRole | null> {
  const row = await db
    .selectFrom('job_members')
    .select('role')
    .where('jobId', '=', jobId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return (row?.role as MemberRole | undefined) ?? null;
}

/** Returns the members who work with a job, which their branches limit. */
export async function findMembersAt(
  db: Db,
  jobId: string,
): Promise<{ accountId: string; role: MemberRole }[]> {
  const rows = await db
    .selectFrom('job_members')
    .select(['accountId', 'role'])
    .where('jobId', '=', jobId)
    .orderBy('accountId')
    .execute();
  return rows as { accountId: string; role: MemberRole }[];
}

export async function findMembers(
  db: Db,
  businessId: string,
): Promise<{ accountId: string; role: MemberRole; branchIds: string[] | null }[]> {
  return db
    .selectFrom('business_members')
    .select(['accountId', 'role', 'branchIds'])
    .where('businessId', '=', businessId)
    .orderBy('accountId')
    .execute();
}

/**
 * Businesses with the account as their only owner; owners who are disabled or about to be deleted don't count.
 * @param businessId one in any status; default all open
 */
export async function findLastOwned(
  db: Db,
  accountId: string,
  businessId: string | null = null,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select business.id, business.name from business_members member join businesses business on business.id = member.business_id
    where member.account_id = ${accountId} and member.role = 'owner'
      and ${businessId === null ? sql`business.status <> 'closed'` : sql`business.id = ${businessId}`}
      and not exists (
        select from business_members other join accounts account on account.id = other.account_id
        where other.business_id = business.id and other.role = 'owner' and other.account_id <> ${accountId}
          and account.disabled_at is null
          and not exists (select from account_deletions leaving
            where leaving.account_id = other.account_id and leaving.status in ('scheduled', 'postponed')))
    order by business.name, business.id limit 100`.execute(db);
  return rows;
}

/** The businesses whose signals each account receives, in any role; signals carry only ids (ADR 89). */
export async function findMemberships(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, Membership[]>> {
  const memberships = new Map<string, Membership[]>();
  if (accountIds.length === 0) return memberships;
  const rows = await db
    .selectFrom('business_members')
    .select(['accountId', 'businessId', 'branchIds', 'role'])
    .where((eb) => eb('accountId', '=', eb.fn.any(eb.val(accountIds))))
    .execute();
  for (const row of rows)
    memberships.set(row.accountId, [
      ...(memberships.get(row.accountId) ?? []),
      { businessId: row.businessId, limited: row.branchIds !== null, chats: roleMay(row.role, 'messages') },
    ]);
  return memberships;
}

/** Ends an account's memberships, and the contact details of closed businesses left without members. */
export async function deleteMemberships(tx: Tx, accountId: string, now: Date): Promise<void> {
  const deleted = await tx
    .deleteFrom('business_members')
    .where('accountId', '=', accountId)
    .returning('businessId')
    .execute();
  for (const { businessId } of deleted) {
    await tx
      .updateTable('businesses')
      .set({ email: null, phone: null, website: null, updatedAt: now })
      .where('id', '=', businessId)
      .where('status', '=', 'closed')
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('business_members').select('role').where('businessId', '=', businessId)),
        ),
      )
      .execute();
    emitRecord(tx, 'business', { id: businessId, businessId, workerId: accountId });
  }
}

/** Returns which of these accounts may see a job or conversation as members. */
export async function findSeers(
  db: Db,
  accountIds: readonly string[],
  filter: { jobId: string } | { conversationId: string },
): Promise<string[]> {
  const job =
    'jobId' in filter
      ? sql`${filter.jobId}::uuid`
      : sql`(select job_id from conversations where id = ${filter.conversationId}::uuid)`;
  const { rows } = await sql<{ accountId: string }>`
    select account_id from job_members where job_id = ${job} and account_id = any(${[...accountIds]}::uuid[])`.execute(
    db,
  );
  return rows.map((row) => row.accountId);
}
