import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { sql } from 'kysely';
import type { ReadDb } from '../../platform/db.ts';
import { keptRead } from '../../platform/prepared-statements.ts';
import { shownColumns } from '../jobs/jobs.columns.ts';
import { inCircle, type SearchArea, squareOf } from './search-area.ts';
import {
  allTrue,
  filterColumns,
  indexedFilters,
  isOpenJob,
  type NearbyFilters,
  otherFilters,
} from './search-filters.ts';
import {
  estimateOpen,
  type FoundPage,
  gatherFitting,
  gatherInBox,
  isAfter,
  limitFor,
  type MatchEstimate,
  type NearbyRow,
  numberedRows,
  type OrderBy,
  orderColumns,
  orderOf,
  type PageRequest,
  readCards,
  sortValue,
  usesCachedPlan,
  walkOutwards,
} from './search-reads.ts';

/** The number of rows each strategy reads before giving up, about 5 ms each. */
export const effort = {
  fitting: 1_500,
  outwards: 5_000,
  words: 5_000,
  box: 3_000,
  square: 5,
  inOrder: 20_000,
};
const maxPerSquare = ({ squares }: SearchArea): number => Math.ceil(effort.inOrder / squares.length);
const promising = 3;
/** Shorter walks are not abandoned, because the estimate may be wrong and many jobs may share one address. */
const walkMin = 1_000;
const everything = 1_000_000_000;

export type Search = { db: ReadDb; filters: NearbyFilters; odds: MatchEstimate | null };

/** Estimates how many jobs fit, by which `findPage` chooses a strategy (ADR 6). */
export async function prepareSearch(
  db: ReadDb,
  filters: NearbyFilters,
  area: SearchArea,
  by: PageRequest['by'],
): Promise<Search> {
  const { category, instant } = filters;
  const needsOdds = filtersFurther(filters) || (by !== 'distance' && (category ?? instant) !== null);
  return { db, filters, odds: needsOdds ? await estimateOpen(db, area, filters) : null };
}

/** Returns whether there are filters other than category and instant hire, which have place indexes. */
function filtersFurther(filters: NearbyFilters): boolean {
  let name: keyof NearbyFilters;
  // Each search asks twice, and a copy of the other filters takes as long as its answer.
  for (name in filters) if (filters[name] !== null && name !== 'category' && name !== 'instant') return true;
  return false;
}

/** Returns whether so few jobs are expected that searching the larger radius first saves a query. */
export const expectsToWiden = ({ odds }: Search): boolean =>
  odds !== null && odds.fitting < nearbyLimits.widenBelowResults;

/** Tries strategies by expected rows (ADR 6). Each gives up at its limit; the last always finishes. */
export async function findPage(search: Search, area: SearchArea, request: PageRequest): Promise<NearbyRow[]> {
  const { db, filters, odds } = search;
  if (filters.words !== null) return findByWords(search, area, request);
  if (request.by === 'distance' && !filtersFurther(filters))
    return filters.instant === null && request.limit <= nearestMax
      ? findNearest(db, {
          around: area,
          category: filters.category,
          after: request.after,
          limit: request.limit,
          isSorted: (request.sortedBy ?? 'distance') !== 'distance',
        })
      : (await walkOutwards(db, area, filters, request, everything)).rows;

  if (odds !== null) {
    const { open, fitting } = odds;
    const expectedWalk = (request.limit * open) / Math.max(1, fitting);
    if (fitting <= Math.max(effort.fitting, expectedWalk)) {
      const gathered = await gatherFitting(db, area, filters, request, Math.max(effort.fitting, 3 * fitting));
      if (gathered.isComplete) return gathered.rows;
    }
  }
  const reading =
    request.by === 'distance'
      ? await walkOutwards(db, area, filters, request, effort.outwards)
      : await findInOrder(db, area, filters, { ...request, by: request.by });
  if (reading.isComplete) return reading.rows;
  // If hardly any of many jobs match, an index on the filter reads only the matches.
  return indexedBySquare(filters)
    ? (await gatherFitting(db, area, filters, request)).rows
    : (await gatherInBox(db, area, filters, request, everything)).rows;
}

const indexedBySquare = ({ kind, minPay, from, to }: NearbyFilters): boolean =>
  [kind, minPay, from, to].some((filter) => filter !== null);

/**
 * Reads a few jobs per square, which is enough nearly everywhere; otherwise all nearby jobs, or very many in
 * order.
 */
async function findInOrder(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
  request: PageRequest & { by: OrderBy },
): Promise<FoundPage> {
  const maxRows = maxPerSquare(area);
  const walk = (perSquare: number) => walkSquares(db, area, filters, request, perSquare);
  const perSquare = Math.ceil(effort.square * request.limit);
  const first = await walk(perSquare);
  if (first.isComplete) return first;
  const promised = Math.ceil((2 * perSquare * request.limit) / first.rows.length);
  if (first.rows.length >= promising && promised <= maxRows) {
    const more = await walk(promised);
    if (more.isComplete) return more;
  }
  const box = await gatherInBox(db, area, filters, request, effort.box);
  return box.isComplete ? box : walk(maxRows);
}

/** The cost of matching words during a scan by distance, relative to a hit in the word index. */
const costOfWalking = { byDistance: 4, inOrder: 20 };

/** Walks the sort order for common words, since matches come early; reads all matches nearby for rare ones. */
async function findByWords(
  { db, filters, odds }: Search,
  area: SearchArea,
  request: PageRequest,
): Promise<NearbyRow[]> {
  const { by } = request;
  const { open, fitting } = odds ?? { open: 0, fitting: 0 };
  const walk = (giveUpAt: number) =>
    by === 'distance'
      ? walkOutwards(db, area, filters, request, Math.max(Math.min(walkMin, effort.words), giveUpAt))
      : walkSquares(db, area, filters, { ...request, by }, Math.min(giveUpAt, maxPerSquare(area)));
  const toWalk = Math.ceil((request.limit * open) / Math.max(1, fitting));
  const walksFirst =
    fitting > toWalk * (by === 'distance' ? costOfWalking.byDistance : costOfWalking.inOrder);
  if (!walksFirst) {
    const gathered = await gatherFitting(db, area, filters, request, Math.max(effort.fitting, 3 * fitting));
    if (gathered.isComplete) return gathered.rows;
  }
  const walked = await walk(walksFirst ? Math.min(effort.words, 3 * toWalk) : effort.words);
  return walked.isComplete ? walked.rows : (await gatherFitting(db, area, filters, request)).rows;
}

type Nearest = {
  around: { pos: readonly [number, number, number]; chord: number };
  category: string | null;
  after: readonly [value: string | number, id: string] | null;
  limit: number;
  isSorted: boolean;
};

/**
 * Literal limits, so that each gets one plan: a usual page, the screen's, and a count, with the row that tells
 * whether more follow. Rows beyond the requested limit are dropped.
 */
const steps = [21, 31, 101] as const;
const nearestMax = steps[2];

/** The usual search, planned once per connection (ADR 116), because it has a literal limit and no bounding box. */
async function findNearest(
  db: ReadDb,
  { around, category, after, limit, isSorted }: Nearest,
): Promise<NearbyRow[]> {
  const step = steps.find((step) => step >= limit) ?? nearestMax;
  const point = sql`${`(${around.pos.join(',')})`}::cube`;
  const chord = sql`(job.pos <-> ${point})`;
  const { rows } = await sql<Omit<NearbyRow, 'relevance'>>`${keptRead}
    select ${shownColumns}, job.business_id, ${isSorted ? sql`${orderColumns},` : sql``} ${chord} as chord
    from jobs job join businesses business on business.id = job.business_id
    where job.status = 'open'
      ${category === null ? sql`` : sql`and job.category = ${category}`}
      ${after === null ? sql`` : sql`and (${chord}, job.id) > (${after[0]}::float8, ${after[1]}::uuid)`}
    order by ${chord}, job.id limit ${sql.lit(step)}`.execute(db);
  return rows.filter((row) => row.chord <= around.chord).slice(0, limit);
}

/**
 * Reads the top `perSquare` jobs of each square. The order is certain only down to the last job of the first square
 * that was cut off; below that it gives up (ADR 256).
 */
export async function walkSquares(
  db: ReadDb,
  area: SearchArea,
  filters: NearbyFilters,
  request: PageRequest & { by: OrderBy },
  perSquare: number,
): Promise<FoundPage> {
  const value = sortValue(request.by);
  const { words } = filters;
  const order = sql`order by job.value desc, job.id desc`;
  const square = sql`select job.id, job.pos, job.instant_hire, ${filterColumns({ ...filters, words: null })}, ${value} as value
    from jobs job where ${allTrue([isOpenJob, sql`${squareOf} = square.name`, ...isAfter(area, request)])}
      order by ${value} desc, job.id desc`;
  const fits = allTrue([
    inCircle(area),
    ...indexedFilters(filters),
    ...otherFilters({ ...filters, words: null }),
    ...(words === null
      ? []
      : [
          sql`exists (select from jobs text where text.id = job.id and text.words @@ (select to_tsquery('nearhand', ${words})))`,
        ]),
  ]);
  // `offset 0` keeps the planner from testing jobs before they are sorted.
  const near = sql`with read as (
      select job.* from jsonb_array_elements_text(${JSON.stringify(area.squares)}::jsonb) as square (name)
        cross join lateral (${numberedRows(square, perSquare, order)}) job
    ), left_at as (
      select read.value, read.id from read where read.walked = ${perSquare} order by ${orderOf(request.by, sql`read`)} limit 1
    ), complete as (
      select read.*, left_at.id is not distinct from read.id as last from read left join left_at on true
      where left_at.id is null or (read.value, read.id) >= (left_at.value, left_at.id) order by ${orderOf(request.by, sql`read`)} offset 0
    )
    select job.id, job.value, case when job.last then ${perSquare}::bigint else 0 end as walked, job.fits
    from (select job.*, ${fits} as fits from complete job offset 0) job
    where job.fits or job.last order by ${orderOf(request.by, sql`job`)} limit ${limitFor(request)}`;
  return readCards(db, area, request, near, {
    giveUpAt: perSquare,
    read: 'in order',
    kept: usesCachedPlan(filters, request),
  });
}
