import { limits } from '@nearhand/contract/limits';
import type { ReadDb } from '../../platform/db.ts';
import {
  type Around,
  estimateOpen,
  type Found,
  gatherFitting,
  gatherInBox,
  type NearbyFilters,
  type NearbyRow,
  type Odds,
  type OrderBy,
  type Wanted,
  walkOutwards,
} from './nearby.sql.ts';
import { findNearest, mostNearest } from './nearest.sql.ts';
import { walkSquares } from './square-order.sql.ts';

/**
 * How many rows each strategy reads before it gives up, and how few matching jobs are fetched without a walk; each costs at most about 5 ms. `square`: how
 * many for each row of a page are first read from each square; the others are of all squares together.
 */
export const effort = {
  fitting: 1_500,
  outwards: 5_000,
  words: 5_000,
  box: 3_000,
  square: 5,
  inOrder: 20_000,
};
/** What a walk in order may read of each square. */
const mostPerSquare = ({ squares }: Around): number => Math.ceil(effort.inOrder / squares.length);
/** Of the first jobs in order, how many have to match for more of them to be read. */
const promising = 3;
/** Fewer are not worth giving up a walk outwards for: the estimate may be wrong, and many jobs may be at one address. */
const leastWalk = 1_000;
/** No limit. */
const everything = 1_000_000_000;

/** A search, wherever it looks. `odds`: those around the asked place; null where every job that is read matches. */
export type Search = { db: ReadDb; filters: NearbyFilters; odds: Odds | null };

/** Prepares to search around a place. */
export async function startSearch(
  db: ReadDb,
  filters: NearbyFilters,
  around: Around,
  by: Wanted['by'],
): Promise<Search> {
  const { category, instant } = filters;
  const needsOdds = filtersFurther(filters) || (by !== 'distance' && (category ?? instant) !== null);
  return { db, filters, odds: needsOdds ? await estimateOpen(db, around, filters) : null };
}

/** Whether there are filters other than the category and instant hire, which have place indexes. */
function filtersFurther({ category: _, instant: __, ...others }: NearbyFilters): boolean {
  return Object.values(others).some((filter) => filter !== null);
}

/** Whether a search probably has too few matches around the asked place. */
export const expectsToWiden = ({ odds }: Search): boolean =>
  odds !== null && odds.fitting < limits.widenBelowResults;

/**
 * One page, by the strategy that should read the fewest rows (ADR 6). Each strategy gives up at its limit and the next is tried; the
 * last always finishes.
 */
export async function findPage(search: Search, around: Around, wanted: Wanted): Promise<NearbyRow[]> {
  const { db, filters, odds } = search;
  if (filters.words !== null) return findByWords(search, around, wanted);
  // A walk by distance reads only matching rows.
  if (wanted.by === 'distance' && !filtersFurther(filters))
    return filters.instant === null && wanted.limit <= mostNearest
      ? findNearest(db, { around, category: filters.category, after: wanted.after, limit: wanted.limit })
      : (await walkOutwards(db, around, filters, wanted, everything)).rows;

  if (odds !== null) {
    const { open, fitting } = odds;
    const expectedWalk = (wanted.limit * open) / Math.max(1, fitting);
    if (fitting <= Math.max(effort.fitting, expectedWalk)) {
      const some = await gatherFitting(db, around, filters, wanted, Math.max(effort.fitting, 3 * fitting));
      if (some.whole) return some.rows;
    }
  }
  const found =
    wanted.by === 'distance'
      ? await walkOutwards(db, around, filters, wanted, effort.outwards)
      : await findInOrder(db, around, filters, { ...wanted, by: wanted.by });
  if (found.whole) return found.rows;
  // Where hardly any of many jobs match after all, an index that has the filter reads only those.
  return indexedBySquare(filters)
    ? (await gatherFitting(db, around, filters, wanted)).rows
    : (await gatherInBox(db, around, filters, wanted, everything)).rows;
}

/** Whether an index of jobs by square has one of the filters. */
const indexedBySquare = ({ kind, minPay, from, to }: NearbyFilters): boolean =>
  [kind, minPay, from, to].some((filter) => filter !== null);

/**
 * A few in order from each square, which is enough nearly everywhere. Otherwise as many as those promise, everything nearby if that is little, or very
 * many in order.
 */
async function findInOrder(
  db: ReadDb,
  around: Around,
  filters: NearbyFilters,
  wanted: Wanted & { by: OrderBy },
): Promise<Found> {
  const most = mostPerSquare(around);
  const walk = (perSquare: number) => walkSquares(db, around, filters, wanted, perSquare);
  const perSquare = Math.ceil(effort.square * wanted.limit);
  const first = await walk(perSquare);
  if (first.whole) return first;
  const promised = Math.ceil((2 * perSquare * wanted.limit) / first.rows.length);
  if (first.rows.length >= promising && promised <= most) {
    const more = await walk(promised);
    if (more.whole) return more;
  }
  const box = await gatherInBox(db, around, filters, wanted, effort.box);
  return box.whole ? box : walk(most);
}

/**
 * What a job costs that is read in the order asked for, to see whether it has the words, in jobs found by the index of words: by distance, and in
 * sort order, where each square around is read.
 */
const costOfWalking = { byDistance: 4, inOrder: 20 };

/**
 * Where common words have many matches, the first ones in order are soon found; of others, all jobs nearby are read, unless they turn out to be many
 * more than expected.
 */
async function findByWords(
  { db, filters, odds }: Search,
  around: Around,
  wanted: Wanted,
): Promise<NearbyRow[]> {
  const { by } = wanted;
  const { open, fitting } = odds ?? { open: 0, fitting: 0 };
  const walk = (giveUpAt: number) =>
    by === 'distance'
      ? walkOutwards(db, around, filters, wanted, Math.max(Math.min(leastWalk, effort.words), giveUpAt))
      : walkSquares(db, around, filters, { ...wanted, by }, Math.min(giveUpAt, mostPerSquare(around)));
  const toWalk = Math.ceil((wanted.limit * open) / Math.max(1, fitting));
  const walksFirst =
    fitting > toWalk * (by === 'distance' ? costOfWalking.byDistance : costOfWalking.inOrder);
  if (!walksFirst) {
    const some = await gatherFitting(db, around, filters, wanted, Math.max(effort.fitting, 3 * fitting));
    if (some.whole) return some.rows;
  }
  const walked = await walk(walksFirst ? Math.min(effort.words, 3 * toWalk) : effort.words);
  return walked.whole ? walked.rows : (await gatherFitting(db, around, filters, wanted)).rows;
}
