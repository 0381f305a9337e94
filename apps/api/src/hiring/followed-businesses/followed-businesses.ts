import { type FollowedBusiness, followedBusinesses } from '@nearhand/contract/hiring/followed-businesses';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { businessStatuses, mayHire } from '@nearhand/contract/people/businesses.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import { businessProfile } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';

const emitFollow = (tx: Tx, accountId: string, businessId: string) =>
  emitRecord(tx, 'followed-business', { id: businessId, workerId: accountId });

async function insertFollow(
  tx: Tx,
  row: { accountId: string; businessId: string; at: Date },
  limit: number,
): Promise<boolean> {
  const { accountId, businessId, at } = row;
  const { rows } = await sql<{ businessId: string }>`
    insert into business_follows (account_id, business_id, followed_at)
    select ${accountId}::uuid, ${businessId}::uuid, ${at}::timestamptz
    where (select count(*) from business_follows where account_id = ${accountId}) < ${limit}
    on conflict (account_id, business_id) do nothing
    returning business_id`.execute(tx);
  if (rows.length > 0) {
    emitFollow(tx, accountId, businessId);
    return true;
  }
  // A separate statement, because the insert's snapshot misses rows that another device commits concurrently.
  const existing = await tx
    .selectFrom('business_follows')
    .select('businessId')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .executeTakeFirst();
  return existing !== undefined;
}

async function deleteFollow(tx: Tx, accountId: string, businessId: string): Promise<void> {
  const deleted = await tx
    .deleteFrom('business_follows')
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .returning('businessId')
    .executeTakeFirst();
  if (deleted) emitFollow(tx, accountId, businessId);
}

async function findFollowedIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('business_follows')
    .select('businessId')
    .where('accountId', '=', accountId)
    .orderBy('followedAt', 'desc')
    .execute();
  return rows.map((row) => row.businessId);
}

type FollowedRow = {
  businessId: string;
  name: string;
  category: CategoryId;
  area: string;
  verified: boolean;
  logo: string | null;
  openJobs: number;
  newestId: string | null;
  newestTitle: string | null;
  followedAt: Date;
};

async function findFollowed(
  db: Db,
  accountId: string,
  after: readonly [string, string] | null,
  page: { limit: number; shown: readonly string[] },
): Promise<FollowedRow[]> {
  const [afterTime, afterId] = after ?? [null, null];
  const { rows } = await sql<FollowedRow>`
    select follow.business_id, business.name, business.category, business.area, business.status = 'verified' as verified,
      business.logo_file_id as logo, follow.followed_at, newest.id as newest_id, newest.title as newest_title,
      (select count(*)::integer from jobs job where job.business_id = business.id and job.status = 'open') as open_jobs
    from business_follows follow join businesses business on business.id = follow.business_id
    left join lateral (select id, title from jobs job where job.business_id = business.id and job.status = 'open'
      order by created_at desc, id desc limit 1) newest on true
    where follow.account_id = ${accountId} and business.status in (${sql.join([...page.shown])})
      and (${afterTime}::timestamptz is null or (follow.followed_at, follow.business_id) < (${afterTime}, ${afterId}::uuid))
    order by follow.followed_at desc, follow.business_id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** Part of account removal. */
export async function deleteFollowsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('business_follows').where('accountId', '=', accountId).execute();
}

type BusinessRef = { businessId: string };
type Followed = BusinessRef & { following: boolean };

const publicStatuses = businessStatuses.filter(mayHire);

/** Follows a business that strangers may see. For any account. */
async function followBusiness(tx: Tx, scope: Scope, { businessId }: BusinessRef): Promise<Followed> {
  await businessProfile(tx, scope, { businessId });
  const row = { accountId: scope.actor.accountId, businessId, at: scope.clock.now() };
  if (!(await insertFollow(tx, row, hiringLimits.followedBusinessesMax)))
    throw new AppError('follow/too-many', { limit: hiringLimits.followedBusinessesMax });
  return { businessId, following: true };
}

/** Unfollows a business. A no-op if the caller does not follow it, so it reveals nothing about the business. */
async function unfollowBusiness(tx: Tx, scope: Scope, { businessId }: BusinessRef): Promise<Followed> {
  await deleteFollow(tx, scope.actor.accountId, businessId);
  return { businessId, following: false };
}

/** Returns the ids of all businesses that the caller follows. */
async function followedBusinessIds(db: Db, scope: Scope): Promise<string[]> {
  return findFollowedIds(db, scope.actor.accountId);
}

/** Lists followed businesses, last followed first; hidden ones are left out. */
async function listFollowedBusinesses(
  db: Db,
  scope: Scope,
  input: PageInput,
): Promise<Page<FollowedBusiness>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findFollowed(db, scope.actor.accountId, after, {
    limit: input.limit + 1,
    shown: publicStatuses,
  });
  const page = cutPage(rows, input.limit, (row) => [row.followedAt.toISOString(), row.businessId]);
  return {
    items: page.items.map((row) => ({
      business: {
        id: row.businessId,
        name: row.name,
        category: row.category,
        area: row.area,
        verified: row.verified,
        logoPath: row.logo === null ? null : fileContentPath(row.logo),
      },
      newest:
        row.newestId === null || row.newestTitle === null
          ? null
          : { id: row.newestId, title: row.newestTitle },
      openJobs: row.openJobs,
      followedAt: row.followedAt.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

export const followedBusinessesRoutes = {
  follow: write(followedBusinesses.follow, followBusiness),
  unfollow: write(followedBusinesses.unfollow, unfollowBusiness),
  ids: read(followedBusinesses.ids, followedBusinessIds),
  list: read(followedBusinesses.list, listFollowedBusinesses),
};
