import { sql } from 'kysely';
import type { ReadDb } from '../../platform/db.ts';
import {
  type Around,
  all,
  type Found,
  filterColumns,
  inCircle,
  indexedFilters,
  isAfter,
  isOpen,
  isUsual,
  limitFor,
  type NearbyFilters,
  numbered,
  type OrderBy,
  orderOf,
  otherFilters,
  readCards,
  sortValue,
  squareOf,
  type Wanted,
} from './nearby.sql.ts';

/**
 * Open jobs in sort order from each square that the circle touches, `perSquare` of each, keeping those that are near and match. Complete down to
 * the first job at which some square was left, so it gives up where too few match before that one (ADR 256).
 */
export async function walkSquares(
  db: ReadDb,
  around: Around,
  filters: NearbyFilters,
  wanted: Wanted & { by: OrderBy },
  perSquare: number,
): Promise<Found> {
  const value = sortValue(wanted.by);
  const { words } = filters;
  const order = sql`order by looked.value desc, looked.id desc`;
  const square = sql`select job.id, job.pos, job.instant_hire, ${filterColumns({ ...filters, words: null })}, ${value} as value
    from jobs job where ${all([isOpen, sql`${squareOf} = square.name`, ...isAfter(around, wanted)])} order by ${value} desc, job.id desc`;
  const fits = all([
    inCircle(around),
    ...indexedFilters(filters),
    ...otherFilters({ ...filters, words: null }),
    // By id, once it is a job's turn: words are not part of the index.
    ...(words === null
      ? []
      : [
          sql`exists (select from jobs text where text.id = job.id and text.words @@ (select to_tsquery('nearhand', ${words})))`,
        ]),
  ]);
  // `offset 0` keeps the planner from testing jobs before they are sorted, of which only the first ones are needed.
  const near = sql`with read as (
      select job.* from jsonb_array_elements_text(${JSON.stringify(around.squares)}::jsonb) as square (name)
        cross join lateral (${numbered(square, perSquare, order)}) job
    ), left_at as (
      select read.value, read.id from read where read.walked = ${perSquare} order by ${orderOf(wanted.by, sql`read`)} limit 1
    ), complete as (
      select read.*, left_at.id is not distinct from read.id as last from read left join left_at on true
      where left_at.id is null or (read.value, read.id) >= (left_at.value, left_at.id) order by ${orderOf(wanted.by, sql`read`)} offset 0
    )
    select job.id, job.value, case when job.last then ${perSquare}::bigint else 0 end as walked, job.fits
    from (select job.*, ${fits} as fits from complete job offset 0) job
    where job.fits or job.last order by ${orderOf(wanted.by, sql`job`)} limit ${limitFor(wanted)}`;
  return readCards(db, around, wanted, near, {
    giveUpAt: perSquare,
    read: 'in order',
    kept: isUsual(filters, wanted),
  });
}
