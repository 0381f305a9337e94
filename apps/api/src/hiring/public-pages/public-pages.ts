import type { Job, JobCard } from '@nearhand/contract/hiring/jobs';
import { type JobStatus, neverPublicJobStatuses } from '@nearhand/contract/hiring/jobs.rules';
import type { PublicBusiness } from '@nearhand/contract/people/businesses';
import { type CategoryId, categoryIds } from '@nearhand/contract/people/taxonomy';
import { type RawBuilder, sql } from 'kysely';
import { businessProfile } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { toCard } from '../jobs/job-cards.ts';
import { getJob, similarJobs } from '../jobs/job-views.ts';
import { type CardRow, cardColumns, closedUnseen } from '../jobs/jobs.columns.ts';
import { firstOfSeries } from '../jobs/jobs.sql.ts';

const hadPage = ({ status, wasSeen }: { status: JobStatus; wasSeen: boolean }): boolean =>
  !neverPublicJobStatuses.includes(status) && wasSeen;

/** Finds the job of a public address for the app. */
export async function addressedJob(
  db: ReadDb,
  _scope: Scope<Actor | null>,
  { shortId }: { shortId: string },
): Promise<{ jobId: string }> {
  const row = await findAddressedJob(db, shortId);
  if (!row || !hadPage(row)) throw new AppError('job/not-found');
  return { jobId: row.id };
}

type Where = { town: string; townSlug: string; countryCode: string };

export type OpenJob = Where & { kind: 'open'; job: Job; similar: JobCard[] };
/** The title is null if guests may not read it. */
export type GoneJob = Where & {
  kind: 'gone';
  title: string | null;
  category: CategoryId;
  similar: JobCard[];
};

const stillReadable: readonly JobStatus[] = ['filled', 'expired', 'closed'];
const similarCount = 6;
const asGuest = { knowsPlace: false, from: null } as const;

/** Finds the job of a public address; null where there never was a page. Shows only what guests may see. */
export async function publicJob(
  db: ReadDb,
  scope: Scope<null>,
  shortId: string,
): Promise<OpenJob | GoneJob | null> {
  const row = await findAddressedJob(db, shortId);
  if (!row || !hadPage(row)) return null;
  const { id: jobId, category, town, townSlug, countryCode } = row;
  const location = { town, townSlug, countryCode };
  if (row.status === 'open') {
    const job = await getJob(db, scope, { jobId });
    return { kind: 'open', ...location, job, similar: await similarJobs(db, scope, { jobId }) };
  }
  const options = { category, after: null, limit: similarCount };
  const rows = await findTownJobs(db, townSlug, options);
  return {
    kind: 'gone',
    ...location,
    category,
    title: stillReadable.includes(row.status) ? row.title : null,
    similar: rows.map((row) => toCard(row, asGuest)),
  };
}

export type JobsShown = { jobs: JobCard[]; nextCursor: string | null };

export type ShownBusiness = JobsShown & { business: PublicBusiness; countryCode: string };

const perPage = 20;
const townsPerPage = 100;

/**
 * Finds the verified business of a public address, or null.
 * @throws request/bad-cursor
 */
export async function publicBusiness(
  db: ReadDb,
  scope: Scope<null>,
  shortId: string,
  cursor?: string,
): Promise<ShownBusiness | null> {
  const after = decodeCursor(cursor, newestCursor);
  const verifiedBusiness = await findVerifiedBusiness(db, shortId);
  if (!verifiedBusiness) return null;
  const business = await businessProfile(db, scope, { businessId: verifiedBusiness.id });
  const rows = await findBusinessJobs(db, verifiedBusiness.id, { after, limit: perPage + 1 });
  const page = cutPage(rows, perPage, (row) => [row.createdAt.toISOString(), row.id]);
  return {
    business,
    countryCode: verifiedBusiness.countryCode,
    jobs: page.items.map((row) => toCard(row, asGuest)),
    nextCursor: page.nextCursor,
  };
}

export type TownJobs = JobsShown & Where & { category: CategoryId | null; trades: CategoryId[] };

/**
 * Lists open jobs of a town and trade, or null.
 * @throws request/bad-cursor
 */
export async function townJobs(
  db: ReadDb,
  townSlug: string,
  category: CategoryId | null,
  cursor?: string,
): Promise<TownJobs | null> {
  const after = decodeCursor(cursor, newestCursor);
  const rows = await findTownJobs(db, townSlug, { category, after, limit: perPage + 1 });
  const [first] = rows;
  if (!first) return null;
  const page = cutPage(rows, perPage, (row) => [row.publishedAt?.toISOString() ?? '', row.id]);
  const trades = await findTrades(db, [townSlug], categoryIds);
  return {
    town: first.town,
    townSlug,
    countryCode: first.countryCode,
    category,
    trades: trades.map((trade) => trade.category),
    jobs: page.items.map((row) => toCard(row, asGuest)),
    nextCursor: page.nextCursor,
  };
}

export type AllJobs = JobsShown & {
  countryCode: string | null;
  towns: { slug: string; town: string }[];
  moreTowns: boolean;
};

export async function allJobs(db: ReadDb, cursor?: string, townsAfter = ''): Promise<AllJobs> {
  const after = decodeCursor(cursor, newestCursor);
  const rows = await findNewestJobs(db, { after, limit: perPage + 1 });
  const page = cutPage(rows, perPage, (row) => [row.publishedAt?.toISOString() ?? '', row.id]);
  const towns = await findTowns(db, townsAfter, townsPerPage + 1);
  return {
    countryCode: rows[0]?.countryCode ?? null,
    towns: towns.slice(0, townsPerPage),
    moreTowns: towns.length > townsPerPage,
    jobs: page.items.map((row) => toCard(row, asGuest)),
    nextCursor: page.nextCursor,
  };
}

type AddressedJob = {
  id: string;
  status: JobStatus;
  title: string;
  category: CategoryId;
  town: string;
  townSlug: string;
  countryCode: string;
  wasSeen: boolean;
};

async function findAddressedJob(db: ReadDb, shortId: string): Promise<AddressedJob | undefined> {
  const { rows } = await sql<AddressedJob>`
    select job.id, job.status, job.title, job.category, job.town, job.town_slug, business.country_code, not ${closedUnseen} as was_seen
    from jobs job join businesses business on business.id = job.business_id
    where job.short_id = ${shortId}`.execute(db);
  return rows[0];
}

type OpenJobRow = CardRow & { town: string; countryCode: string; createdAt: Date };
type JobPage = { after: readonly [string, string] | null; limit: number };

const findTownJobs = (
  db: ReadDb,
  townSlug: string,
  { category, ...page }: JobPage & { category: CategoryId | null },
): Promise<OpenJobRow[]> =>
  findOpenJobs(db, 'publishedAt', page, [
    sql`town_slug = ${townSlug}`,
    ...(category === null ? [] : [sql`category = ${category}`]),
  ]);

const findNewestJobs = (db: ReadDb, page: JobPage): Promise<OpenJobRow[]> =>
  findOpenJobs(db, 'publishedAt', page, []);

const findBusinessJobs = (db: ReadDb, businessId: string, page: JobPage): Promise<OpenJobRow[]> =>
  findOpenJobs(db, 'createdAt', page, [sql`business_id = ${businessId}`]);

async function findOpenJobs(
  db: ReadDb,
  order: 'publishedAt' | 'createdAt',
  { after, limit }: JobPage,
  filters: readonly RawBuilder<unknown>[],
): Promise<OpenJobRow[]> {
  const time = sql.ref(order);
  const parts = [sql`status = 'open'`, firstOfSeries, ...filters];
  if (after) parts.push(sql`(${time}, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const { rows } = await sql<OpenJobRow>`
    select ${cardColumns}, job.town, business.country_code, job.created_at from (
      select * from jobs where ${sql.join(parts, sql` and `)} order by ${time} desc, id desc limit ${limit}) job
    join businesses business on business.id = job.business_id
    order by job.${time} desc, job.id desc`.execute(db);
  return rows;
}

async function findVerifiedBusiness(
  db: ReadDb,
  shortId: string,
): Promise<{ id: string; countryCode: string } | undefined> {
  const { rows } = await sql<{ id: string; countryCode: string }>`
    select id, country_code from businesses where short_id = ${shortId} and status = 'verified'`.execute(db);
  return rows[0];
}

/** Lists towns with open jobs after a slug. It jumps through the index instead of reading every job. */
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

/** Returns the first job of each sitemap file. */
export async function findJobFileStarts(db: ReadDb, perFile: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) as place from jobs where status = 'open' and ${firstOfSeries}) numbered
    where (place - 1) % ${perFile}::integer = 0 order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findBusinessFileStarts(db: ReadDb, perFile: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) as place from businesses where status = 'verified') numbered
    where (place - 1) % ${perFile}::integer = 0 order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export type Listed = { id: string; name: string; updatedAt: Date };

export async function findListedJobs(
  db: ReadDb,
  from: string,
  inclusive: boolean,
  limit: number,
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select id, title as name, updated_at from jobs
    where status = 'open' and ${firstOfSeries} and id ${inclusive ? sql`>=` : sql`>`} ${from}::uuid
    order by id limit ${limit}`.execute(db);
  return rows;
}

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
