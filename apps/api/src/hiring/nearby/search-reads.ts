import type { Availability } from '@nearhand/contract/people/profiles';
import { type RawBuilder, sql } from 'kysely';
import type { ReadDb } from '../../platform/db.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { type CardRow, type ShownRow, seriesSummary, shownColumns } from '../jobs/jobs.columns.ts';
import { chordTo, inBox, inCircle, inSquares, type SearchArea } from './search-area.ts';
import {
  allTrue,
  filterColumns,
  hasWords,
  indexedFilters,
  isOpenJob,
  type NearbyFilters,
  otherFilters,
  wordsInSquares,
} from './search-filters.ts';
import type { Relevance } from './search-words.rules.ts';

export type OrderBy = 'newest' | 'pay' | 'total' | 'soonest';

/** Distances are chords in metres, times ISO, pay hourly minor units. */
export type PageRequest = {
  by: 'distance' | OrderBy;
  after: readonly [value: string | number, id: string] | null;
  limit: number;
  /** The order that the rows get afterwards, if it is another. */
  sortedBy?: PageRequest['by'];
  /** Adds how well each row matches these words. */
  relevance?: Relevance | null;
};

/** The columns behind every order except distance. */
export const orderColumns = sql`job.published_at, job.pay_hour_minor, job.start_rank, job.total_rank`;

type OrderValues = {
  publishedAt: Date | null;
  payHourMinor: number | null;
  startRank: number;
  totalRank: number;
};

/** The order values are present if the rows are sorted by one of them. */
export type NearbyRow = ShownRow &
  Partial<OrderValues> & {
    businessId: string;
    chord: number;
    /**
     * 0 for the words in the title, 1 for another name there, 2 for the skill, 3 for words elsewhere; null or
     * absent unless requested.
     */
    relevance?: number | null;
  };

/** `isComplete` is false if a strategy gave up at its limit. */
export type FoundPage = { rows: NearbyRow[]; isComplete: boolean };

const sortColumns = {
  newest: sql`job.published_at`,
  pay: sql`job.pay_rank`,
  total: sql`job.total_rank`,
  soonest: sql`job.start_rank`,
};

export const sortValue = (by: OrderBy) => sortColumns[by];

/** The keyset condition for the next page; no condition for the first. */
export function isAfter(area: SearchArea, { by, after }: PageRequest): RawBuilder<unknown>[] {
  if (after === null) return [];
  const [value, id] = after;
  if (by === 'distance') return [sql`(${chordTo(area)}, job.id) > (${value}::float8, ${id}::uuid)`];
  const cursorValue = by === 'newest' ? sql`${value}::timestamptz` : sql`${value}::integer`;
  return [sql`(${sortValue(by)}, job.id) < (${cursorValue}, ${id}::uuid)`];
}

export const orderOf = (by: PageRequest['by'], from: RawBuilder<unknown>) =>
  by === 'distance' ? sql`${from}.value, ${from}.id` : sql`${from}.value desc, ${from}.id desc`;

/** Literal limits, so that one plan serves all pages up to each. */
const limitSteps = [24, 32, 104];

const longestPrepared = 103;

/**
 * A literal limit from a few steps, so that PostgreSQL caches few plans. At least one more than the page, to
 * see whether another follows.
 */
export const limitFor = ({ limit }: PageRequest): RawBuilder<unknown> =>
  sql.lit(limitSteps.find((step) => step > limit) ?? limit + 1);

/** Returns whether the query is common enough for a prepared plan: a first page without further filters. */
export function usesCachedPlan(
  { words: _, category: __, ...others }: NearbyFilters,
  { after, limit }: PageRequest,
): boolean {
  return (
    after === null && limit <= longestPrepared && Object.values(others).every((filter) => filter === null)
  );
}

/** Tested for the rows of a page only: the words of a job are weighted by where they are written. */
const relevanceOf = ({ relevance }: PageRequest): RawBuilder<unknown> =>
  relevance
    ? sql`case when job.words @@ (select to_tsquery('nearhand', ${relevance.inTitle})) then 0
        when job.words @@ (select to_tsquery('nearhand', ${relevance.named})) then 1
        when job.words @@ (select to_tsquery('nearhand', ${relevance.skilled})) then 2 else 3 end as relevance,`
    : sql`null::integer as relevance,`;

type ReadOrder = 'in order' | 'by distance' | 'in any order';

/**
 * Reads cards. Drops rows at the distance at which a walk gave up, because others at that distance may be
 * missing.
 */
export async function readCards(
  db: ReadDb,
  area: SearchArea,
  request: PageRequest,
  near: RawBuilder<unknown>,
  { giveUpAt, read, kept = false }: { giveUpAt: number | null; read: ReadOrder; kept?: boolean },
): Promise<FoundPage> {
  const { rows } = await sql<
    NearbyRow & { relevance: number | null; walked: number; fits: boolean }
  >`${kept ? keptPlan : sql``}
    select ${shownColumns}, job.business_id, ${orderColumns}, ${chordTo(area)} as chord,
      ${relevanceOf(request)} near.walked, near.fits
    from (${near}) near join jobs job on job.id = near.id join businesses business on business.id = job.business_id
    order by ${orderOf(request.by, sql`near`)}`.execute(db);
  const last = giveUpAt === null ? undefined : rows.find((row) => row.walked === giveUpAt);
  const mayMissTies = (row: NearbyRow) => read === 'by distance' && row.chord === last?.chord;
  const fitting = rows.filter((row) => row.fits && !mayMissTies(row));
  return {
    rows: fitting.slice(0, request.limit),
    isComplete: last === undefined || (read !== 'in any order' && fitting.length >= request.limit),
  };
}

/** Hides the limit from the planner, which then expects a short walk instead of sorting everything. */
const unseen = (limit: number) => sql`(select ${limit}::bigint)`;

/** Numbers rows outside the subquery; inside, numbering would precede the order. */
export const numberedRows = (rows: RawBuilder<unknown>, giveUpAt: number, order: RawBuilder<unknown>) =>
  sql`select job.*, row_number() over (${order}) as walked from (${rows} limit ${unseen(giveUpAt)}) job`;

/** Reads jobs by distance until enough fit or `giveUpAt` rows are read. */
export async function walkOutwards(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
  request: PageRequest,
  giveUpAt: number,
): Promise<FoundPage> {
  const place = [isOpenJob, inBox(area), inCircle(area), ...indexedFilters(filters)];
  const fits = [...otherFilters({ ...filters, words: null }), ...hasWords(filters.words)];
  if (request.after !== null) {
    const [chord, id] = request.after;
    // PostgreSQL expects half of the jobs after a `case`. After a plain comparison it expects one, and sorts
    // all of them.
    place.push(sql`case when ${chordTo(area)} >= ${chord}::float8 then true else false end`);
    fits.push(sql`(job.value > ${chord}::float8 or job.id > ${id}::uuid)`);
  }
  // Written once: a repeated place would be two parameters of a cached plan, which then sorts all rows.
  const walk = sql`select job.id, ${filterColumns(filters)}, ${chordTo(area)} as value
    from jobs job where ${allTrue(place)} order by value`;
  // The walk must stay unsorted to stop early. The row at which it gave up comes first.
  const near = sql`select * from (
      select job.id, job.value, job.walked, ${allTrue(fits)} as fits from (${numberedRows(walk, giveUpAt, sql`order by job.value`)}) job
      where ${allTrue(fits)} or job.walked = ${giveUpAt} order by job.value fetch first ${limitFor(request)} rows with ties
    ) job order by job.walked = ${giveUpAt} desc, ${orderOf(request.by, sql`job`)} limit ${limitFor(request)}`;
  return readCards(db, area, request, near, {
    giveUpAt,
    read: 'by distance',
    kept: usesCachedPlan(filters, request),
  });
}

/** Gives up if the bounding box has too many jobs. */
export async function gatherInBox(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
  request: PageRequest,
  giveUpAt: number,
): Promise<FoundPage> {
  const value = request.by === 'distance' ? chordTo(area) : sortValue(request.by);
  const box = sql`select job.id, job.pos, ${filterColumns({ ...filters, minTotal: filters.minTotal ?? 0 })},
    job.published_at, job.start_rank, ${value} as value
    from jobs job where ${allTrue([isOpenJob, inBox(area), ...indexedFilters(filters)])}`;
  const fits = allTrue([inCircle(area), ...otherFilters(filters), ...isAfter(area, request)]);
  const near = sql`select job.id, job.value, job.walked, ${fits} as fits
    from (${numberedRows(box, giveUpAt, sql``)}) job
    where ${fits} or job.walked = ${giveUpAt}
    order by job.walked = ${giveUpAt} desc, ${orderOf(request.by, sql`job`)} limit ${limitFor(request)}`;
  return readCards(db, area, request, near, { giveUpAt, read: 'in any order' });
}

/** Reads all matches by the filters' indexes and keeps those in the circle. Gives up above `giveUpAt`. */
export async function gatherFitting(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
  request: PageRequest,
  giveUpAt: number | null = null,
): Promise<FoundPage> {
  const value = request.by === 'distance' ? chordTo(area) : sortValue(request.by);
  const conditions = [
    isOpenJob,
    inCircle(area),
    ...indexedFilters(filters),
    ...otherFilters({ ...filters, words: null }),
    ...(filters.words === null ? [inSquares(area)] : wordsInSquares(filters.words, area.squares)),
    ...isAfter(area, request),
  ];
  const matches = sql`select job.id, ${value} as value from jobs job where ${allTrue(conditions)}`;
  // Materialized, so that no sorted index is walked for a selective filter.
  const near = sql`with fitting as materialized (${giveUpAt === null ? sql`select matches.*, 0 as walked from (${matches}) matches` : numberedRows(matches, giveUpAt, sql``)})
    select fitting.id, fitting.value, fitting.walked, true as fits from fitting
    order by ${giveUpAt === null ? sql`` : sql`fitting.walked = ${giveUpAt} desc,`} ${orderOf(request.by, sql`fitting`)} limit ${limitFor(request)}`;
  const hasCachedPlan = filters.words !== null && usesCachedPlan(filters, request);
  return readCards(db, area, request, near, { giveUpAt, read: 'in any order', kept: hasCachedPlan });
}

export type SeriesSummary = NonNullable<CardRow['series']>;

/** The first matching open shifts of these series by id, each with its series. */
export async function findFirstDates(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, SeriesSummary>> {
  const matches = allTrue([isOpenJob, inCircle(area), ...indexedFilters(filters), ...otherFilters(filters)]);
  const { rows } = await sql<{ id: string; series: SeriesSummary }>`
    select job.id, ${seriesSummary} from (
      select distinct on (job.series_id, job.as_block) job.id, job.series_id, job.as_block from jobs job
      where job.series_id = any(${[...seriesIds]}::uuid[]) and ${matches}
      order by job.series_id, job.as_block, job.starts_at, job.id) job`.execute(db);
  return new Map(rows.map(({ id, series }) => [id, series]));
}

export type MatchEstimate = { open: number; fitting: number };

/** Planner estimates for the squares around a place; reads no job. */
export async function estimateOpen(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
): Promise<MatchEstimate> {
  const selections = [[], [...indexedFilters(filters), ...otherFilters(filters)]].map(
    (fits) => sql`select 1 from jobs job where ${allTrue([isOpenJob, inSquares(area), ...fits])}`,
  );
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { Plans: { 'Plan Rows': number }[] } }] }>`
    explain (format json) ${sql.join(selections, sql` union all `)}`.execute(db);
  const [open, fitting] = rows[0]?.['QUERY PLAN'][0].Plan.Plans ?? [];
  return { open: open?.['Plan Rows'] ?? 0, fitting: fitting?.['Plan Rows'] ?? 0 };
}

/** Returns the parts of the week in which a worker is available; empty if they set none. */
export async function findFreeParts(db: ReadDb, accountId: string): Promise<Availability> {
  const row = await db
    .selectFrom('profiles')
    .select('availability')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return (row?.availability ?? []) as Availability;
}
