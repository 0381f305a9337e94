import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

const emitFollow = (tx: Tx, accountId: string, businessId: string) =>
  emitRecord(tx, 'followed-business', { id: businessId, workerId: accountId });

/** Follows a business unless the account follows `most`. Answers whether it follows it now. */
export async function insertFollow(
  tx: Tx,
  row: { accountId: string; businessId: string; at: Date },
  most: number,
): Promise<boolean> {
  const { accountId, businessId, at } = row;
  const { rows } = await sql<{ business_id: string }>`
    insert into business_follows (account_id, business_id, followed_at)
    select ${accountId}::uuid, ${businessId}::uuid, ${at}::timestamptz
    where (select count(*) from business_follows where account_id = ${accountId}) < ${most}
    on conflict (account_id, business_id) do nothing
    returning business_id`.execute(tx);
  if (rows.length > 0) {
    emitFollow(tx, accountId, businessId);
    return true;
  }
  // A statement of its own: the insert's snapshot does not see what another device did at the same time.
  const known = await tx
    .selectFrom('business_follows')
    .select('business_id')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .executeTakeFirst();
  return known !== undefined;
}

/** Unfollows a business; a no-op where it is not followed. */
export async function deleteFollow(tx: Tx, accountId: string, businessId: string): Promise<void> {
  const gone = await tx
    .deleteFrom('business_follows')
    .where('account_id', '=', accountId)
    .where('business_id', '=', businessId)
    .returning('business_id')
    .executeTakeFirst();
  if (gone) emitFollow(tx, accountId, businessId);
}

export async function findFollowedIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('business_follows')
    .select('business_id')
    .where('account_id', '=', accountId)
    .orderBy('followed_at', 'desc')
    .execute();
  return rows.map((row) => row.business_id);
}

export type FollowedRow = {
  business_id: string;
  name: string;
  category: CategoryId;
  area: string;
  verified: boolean;
  logo: string | null;
  open_jobs: number;
  newest_id: string | null;
  newest_title: string | null;
  followed_at: Date;
};

/** Followed businesses that strangers may see, last followed first, after the row of the cursor. */
export async function findFollowed(
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

/** For an account that is removed. */
export async function deleteFollowsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('business_follows').where('account_id', '=', accountId).execute();
}
