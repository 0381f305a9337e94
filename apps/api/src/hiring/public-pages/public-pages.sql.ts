import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { type RawBuilder, sql } from 'kysely';
import type { ReadDb } from '../../platform/db.ts';
import { type CardRow, cardColumns, closedUnseen } from '../jobs/jobs.columns.ts';

export type AddressedJob = {
  id: string;
  status: JobStatus;
  title: string;
  category: CategoryId;
  town: string;
  town_slug: string;
  country_code: string;
  /** It was open once, and nobody hid it before it closed. */
  was_seen: boolean;
};

/** The job behind a public address, in any status. */
export async function findAddressedJob(db: ReadDb, shortId: string): Promise<AddressedJob | undefined> {
  const { rows } = await sql<AddressedJob>`
    select job.id, job.status, job.title, job.category, job.town, job.town_slug, business.country_code, not ${closedUnseen} as was_seen
    from jobs job join businesses business on business.id = job.business_id
    where job.short_id = ${shortId}`.execute(db);
  return rows[0];
}

export type OpenJobRow = CardRow & { town: string; country_code: string; created_at: Date };
type JobPage = { after: readonly [string, string] | null; limit: number };

/** Open jobs of a town and trade, newest first, after the cursor's row. */
export const findTownJobs = (
  db: ReadDb,
  townSlug: string,
  { category, ...page }: JobPage & { category: CategoryId | null },
): Promise<OpenJobRow[]> =>
  findOpenJobs(db, 'published_at', page, [
    sql`town_slug = ${townSlug}`,
    ...(category === null ? [] : [sql`category = ${category}`]),
  ]);

/** The newest open jobs anywhere, after the cursor's row. */
export const findNewestJobs = (db: ReadDb, page: JobPage): Promise<OpenJobRow[]> =>
  findOpenJobs(db, 'published_at', page, []);

/** Open jobs of a business, newest first, after the cursor's row. */
export const findBusinessJobs = (db: ReadDb, businessId: string, page: JobPage): Promise<OpenJobRow[]> =>
  findOpenJobs(db, 'created_at', page, [sql`business_id = ${businessId}`]);

/** The page is picked by the index of its order and only then joined. */
async function findOpenJobs(
  db: ReadDb,
  order: 'published_at' | 'created_at',
  { after, limit }: JobPage,
  filters: readonly RawBuilder<unknown>[],
): Promise<OpenJobRow[]> {
  const time = sql.ref(order);
  const parts = [sql`status = 'open'`, ...filters];
  if (after) parts.push(sql`(${time}, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const { rows } = await sql<OpenJobRow>`
    select ${cardColumns}, job.town, business.country_code, job.created_at from (
      select * from jobs where ${sql.join(parts, sql` and `)} order by ${time} desc, id desc limit ${limit}) job
    join businesses business on business.id = job.business_id
    order by job.${time} desc, job.id desc`.execute(db);
  return rows;
}

/** A verified business behind a public address. */
export async function findVerifiedBusiness(
  db: ReadDb,
  shortId: string,
): Promise<{ id: string; country_code: string } | undefined> {
  const { rows } = await sql<{ id: string; country_code: string }>`
    select id, country_code from businesses where short_id = ${shortId} and status = 'verified'`.execute(db);
  return rows[0];
}

/** Towns with open jobs, by address, after one. One index step per town, however many jobs it has. */
export async function findTowns(
  db: ReadDb,
  after: string,
  limit: number,
): Promise<{ slug: string; town: string }[]> {
  const { rows } = await sql<{ slug: string; town: string }>`
    with recursive found (slug) as (
      (select min(town_slug) from jobs where status = 'open' and town_slug > ${after})
      union all
      select (select min(town_slug) from jobs where status = 'open' and town_slug > found.slug) from found where found.slug is not null)
    select slug, (select town from jobs where status = 'open' and town_slug = slug order by published_at desc, id desc limit 1) as town
    from (select slug from found where slug is not null limit ${limit}) listed`.execute(db);
  return rows;
}

/** The trades with open jobs in some towns; one index step each. */
export async function findTrades(
  db: ReadDb,
  townSlugs: readonly string[],
  categories: readonly CategoryId[],
): Promise<{ slug: string; category: CategoryId }[]> {
  const { rows } = await sql<{ slug: string; category: CategoryId }>`
    select slug, category from unnest(${[...townSlugs]}::text[]) as slug cross join unnest(${[...categories]}::text[]) as category
    where exists (select from jobs where status = 'open' and town_slug = slug and jobs.category = category.category)`.execute(
    db,
  );
  return rows;
}

/** Where each sitemap file of open jobs starts. */
export async function findJobFileStarts(db: ReadDb, perFile: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) as place from jobs where status = 'open') numbered
    where (place - 1) % ${perFile}::integer = 0 order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The same for verified businesses. */
export async function findBusinessFileStarts(db: ReadDb, perFile: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) as place from businesses where status = 'verified') numbered
    where (place - 1) % ${perFile}::integer = 0 order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export type Listed = { id: string; name: string; updated_at: Date };

/** Open jobs from an id on, for a sitemap. */
export async function findListedJobs(
  db: ReadDb,
  from: string,
  inclusive: boolean,
  limit: number,
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select id, title as name, updated_at from jobs
    where status = 'open' and id ${inclusive ? sql`>=` : sql`>`} ${from}::uuid order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Verified businesses from an id on, for a sitemap. */
export async function findListedBusinesses(
  db: ReadDb,
  from: string,
  inclusive: boolean,
  limit: number,
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select id, name, updated_at from businesses
    where status = 'verified' and id ${inclusive ? sql`>=` : sql`>`} ${from}::uuid order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}
