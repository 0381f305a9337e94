import type { MemberRole } from '@nearhand/contract/member-roles';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import { isInBranchesOf } from '../../platform/members/job-members.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Businesses, BusinessMoves } from '../../platform/tables.gen.ts';
import { isPending } from './businesses.rules.ts';

type BusinessRow = Selectable<Businesses>;

type Picture = { id: string; name: string; mediaType: string; bytes: number };

export type CountedBusiness = BusinessRow & {
  role: MemberRole | null;
  branchIds: string[] | null;
  openJobs: number;
  newApplicants: number;
  budgetRequests: number;
  logo: Picture | null;
  cover: Picture | null;
};

const withCounts = (db: ReadDb, accountId: string | null) =>
  db
    .selectFrom('businesses as business')
    .leftJoin('business_members as member', (join) =>
      join.onRef('member.businessId', '=', 'business.id').on('member.accountId', '=', accountId),
    )
    .leftJoin('files as logo', 'logo.id', 'business.logoFileId')
    .leftJoin('files as cover', 'cover.id', 'business.coverFileId')
    .selectAll('business')
    .select([
      'member.role',
      'member.branchIds',
      sql<number>`(select count(*) from jobs where business_id = business.id and status = 'open'
        and (member.branch_ids is null or branch_id = any(member.branch_ids)))`.as('openJobs'),
      sql<number>`(select count(*) from applications where business_id = business.id and status = 'submitted'
        and ${isInBranchesOf(sql`member`, sql`applications.job_id`)})`.as('newApplicants'),
      sql<number>`case when member.role = 'owner' then (select count(*) from budget_requests
        where business_id = business.id and status = 'open') else 0 end`.as('budgetRequests'),
      sql<Picture | null>`case when logo.id is not null then jsonb_build_object(
        'id', logo.id, 'name', logo.name, 'mediaType', logo.media_type, 'bytes', logo.bytes) end`.as('logo'),
      sql<Picture | null>`case when cover.id is not null then jsonb_build_object(
        'id', cover.id, 'name', cover.name, 'mediaType', cover.media_type, 'bytes', cover.bytes) end`.as(
        'cover',
      ),
    ]);

/** A business as this account sees it; `role` is null for a stranger. */
export async function findBusiness(
  db: ReadDb,
  businessId: string,
  accountId: string | null,
): Promise<CountedBusiness | undefined> {
  return withCounts(db, accountId).where('business.id', '=', businessId).executeTakeFirst();
}

export async function findBusinessesOf(db: Db, accountId: string): Promise<CountedBusiness[]> {
  return withCounts(db, accountId)
    .where('member.accountId', '=', accountId)
    .orderBy('business.name')
    .orderBy('business.id')
    .limit(100)
    .execute();
}

/** Doesn't block rows that reference it: an application that holds its job would deadlock. */
export async function lockBusiness(tx: Tx, businessId: string): Promise<BusinessRow | undefined> {
  return tx
    .selectFrom('businesses')
    .selectAll()
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function insertBusiness(tx: Tx, row: Insertable<Businesses>): Promise<void> {
  await tx.insertInto('businesses').values(row).execute();
  emitRecord(tx, 'business', { id: row.id, businessId: row.id });
}

/** Serializes an account's registrations, so that the count is right. */
export async function lockRegistrations(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('register ' || ${accountId}, 0))`.execute(tx);
}

/** Counts the unverified businesses that an account owns, for the limit on new ones. */
export async function countUnverifiedOwned(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.businessId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('business_members.accountId', '=', accountId)
    .where('role', '=', 'owner')
    .where('status', 'not in', ['verified', 'closed'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Other businesses of the country with the same registration number, verified ones first; at most 10. */
export async function findSharedRegistrations(
  db: Db,
  business: { id: string; countryCode: string; registrationNumber: string },
): Promise<{ businessId: string; name: string; status: BusinessStatus }[]> {
  const { rows } = await sql<{ businessId: string; name: string; status: BusinessStatus }>`
    select id as business_id, name, status from businesses
    where id <> ${business.id} and country_code = ${business.countryCode} and registration_number <> ''
      and translate(upper(registration_number), ' .-–/', '') = translate(upper(${business.registrationNumber}), ' .-–/', '')
    order by status <> 'verified', id limit 10`.execute(db);
  return rows;
}

/** Updates a business at a known version. Returns false if it changed in the meantime. */
export async function updateBusinessVersion(
  tx: Tx,
  businessId: string,
  version: number,
  changes: Updateable<Businesses>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('businesses')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', businessId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitRecord(tx, 'business', { id: businessId, businessId });
  return numUpdatedRows === 1n;
}

export async function hasJobs(db: Db, businessId: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('businessId', '=', businessId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves a business from a known status. Returns false if it has another one by now. */
export async function updateBusinessStatus(
  tx: Tx,
  businessId: string,
  from: BusinessStatus,
  to: BusinessStatus,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('businesses')
    .set({ status: to, updatedAt: now, submittedAt: isPending(to) ? now : undefined })
    .where('id', '=', businessId)
    .where('status', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) emitRecord(tx, 'business', { id: businessId, businessId });
  return numUpdatedRows === 1n;
}

export async function insertBusinessMove(tx: Tx, row: Insertable<BusinessMoves>): Promise<void> {
  await tx.insertInto('business_moves').values(row).execute();
}
