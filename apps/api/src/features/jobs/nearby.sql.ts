import type { JobKind } from '@nearhand/contract/jobs';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type CardRow, cardColumns } from './job-cards.sql.ts';

/** What jobs must be besides near. `words` is a full-text query (`nearby.rules.ts`), `minPay` minor units an hour, days in the zone of the job. */
export type NearbyFilters = {
  category: string | null;
  kind: JobKind | null;
  minPay: number | null;
  from: string | null;
  to: string | null;
  words: string | null;
};

/** Around where, and how far: a point on the sphere and the straight line that the radius spans, in metres (ADR 0006). */
export type Around = { pos: readonly [number, number, number]; chord: number };

export type NearbyRow = CardRow & { chord: number };
export type Walk = {
  rows: NearbyRow[] /** False where the walk gave up before it knew that there is nothing more. */;
  whole: boolean;
};

/** Rows a walk may look at before it gives up: what a page costs at most, some 10 ms. */
const walkLimit = 3_000;

const pointOf = (around: Around) => sql`${`(${around.pos.join(',')})`}::cube`;
/** The box around the circle, which the index can cut out; a little larger, so that rounding loses nothing. */
const inBox = (around: Around) =>
  sql`job.pos <@ cube_enlarge(${pointOf(around)}, ${around.chord + 0.01}::float8, 3)`;
const inCircle = (around: Around) => sql`(job.pos <-> ${pointOf(around)}) <= ${around.chord}::float8`;

const conjunction = (conditions: RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** Everything but the category, which the index of places holds itself. */
function otherFilters(filters: NearbyFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (filters.kind !== null) conditions.push(sql`job.kind = ${filters.kind}`);
  if (filters.minPay !== null) conditions.push(sql`coalesce(job.pay_hour_minor, 0) >= ${filters.minPay}`);
  if (filters.from !== null) conditions.push(sql`job.start_day >= ${filters.from}::date`);
  if (filters.to !== null) conditions.push(sql`job.start_day <= ${filters.to}::date`);
  if (filters.words !== null) conditions.push(sql`job.words @@ to_tsquery('nearhand', ${filters.words})`);
  return conditions;
}
const categoryFilter = (filters: NearbyFilters) =>
  filters.category === null ? [] : [sql`job.category = ${filters.category}`];

const ofBusiness = sql`join businesses business on business.id = job.business_id`;

/** Jobs from the nearest outwards, as the index of places gives them, after a row at the same or a smaller distance. */
export async function walkOutwards(
  db: Db,
  around: Around,
  filters: NearbyFilters,
  page: { after: readonly [chord: number, id: string] | null; limit: number },
): Promise<Walk> {
  const point = pointOf(around);
  const place = [sql`job.status = 'open'`, inBox(around), inCircle(around), ...categoryFilter(filters)];
  const fits = otherFilters(filters);
  if (page.after !== null) {
    const [chord, id] = page.after;
    place.push(sql`(job.pos <-> ${point}) >= ${chord}::float8`);
    fits.push(sql`(job.chord > ${chord}::float8 or job.id > ${id}::uuid)`);
  }
  const { rows } = await sql<NearbyRow & { walked: number; fits: boolean }>`
    select ${cardColumns}, job.chord, job.walked, job.fits from (
      select job.*, ${conjunction(fits)} as fits from (
        select job.*, job.pos <-> ${point} as chord, row_number() over () as walked from jobs job
        where ${conjunction(place)} order by job.pos <-> ${point} limit ${walkLimit}) job
      where ${conjunction(fits)} or job.walked = ${walkLimit}
      order by job.chord, job.id limit ${page.limit + 1}) job
    ${ofBusiness} order by job.chord, job.id`.execute(db);
  return toWalk(rows, page.limit);
}

/** The order of a list that does not run outwards, and the row after which it goes on. */
export type Order = {
  by: 'newest' | 'pay';
  after: readonly [value: string | number, id: string] | null;
};

/** A fixed price has no hours: it counts as nothing an hour, so it comes last. The index holds the same expression. */
const orderValue = (by: Order['by']) =>
  by === 'newest' ? sql`job.published_at` : sql`coalesce(job.pay_hour_minor, 0)`;

function afterInOrder({ by, after }: Order): RawBuilder<unknown>[] {
  if (after === null) return [];
  const value = by === 'newest' ? sql`${after[0]}::timestamptz` : sql`${after[0]}::integer`;
  return [sql`(${orderValue(by)}, job.id) < (${value}, ${after[1]}::uuid)`];
}

/** Open jobs in their order, wherever they are, kept where they are near and fit: quick where the circle holds many of them. */
export async function walkInOrder(
  db: Db,
  around: Around,
  filters: NearbyFilters,
  page: Order & { limit: number },
): Promise<Walk> {
  const fits = conjunction([inCircle(around), ...categoryFilter(filters), ...otherFilters(filters)]);
  const order = sql`${orderValue(page.by)} desc, job.id desc`;
  const { rows } = await sql<NearbyRow & { walked: number; fits: boolean }>`
    select ${cardColumns}, job.pos <-> ${pointOf(around)} as chord, job.walked, job.fits from (
      select job.*, ${fits} as fits from (
        select job.*, row_number() over () as walked from jobs job
        where ${conjunction([sql`job.status = 'open'`, ...afterInOrder(page)])} order by ${order} limit ${walkLimit}) job
      where ${fits} or job.walked = ${walkLimit} limit ${page.limit + 1}) job
    ${ofBusiness} order by ${order}`.execute(db);
  return toWalk(rows, page.limit);
}

/**
 * Everything that fits, found through the index that cuts out least, then put in order. `by` says which: the box around the circle, or the filters,
 * where they leave less than the box holds.
 */
export async function gather(
  db: Db,
  around: Around,
  filters: NearbyFilters,
  page: (Order | { by: 'distance'; after: readonly [chord: number, id: string] | null }) & { limit: number },
  through: 'box' | 'filters',
): Promise<NearbyRow[]> {
  const conditions = [
    sql`job.status = 'open'`,
    ...(through === 'box' ? [inBox(around)] : []),
    inCircle(around),
    ...categoryFilter(filters),
    ...otherFilters(filters),
  ];
  if (page.by === 'distance' && page.after !== null) {
    const [chord, id] = page.after;
    conditions.push(sql`(job.pos <-> ${pointOf(around)}, job.id) > (${chord}::float8, ${id}::uuid)`);
  }
  if (page.by !== 'distance') conditions.push(...afterInOrder(page));
  const value = page.by === 'distance' ? sql`job.pos <-> ${pointOf(around)}` : orderValue(page.by);
  const order = page.by === 'distance' ? sql`value, id` : sql`value desc, id desc`;
  const { rows } = await sql<NearbyRow>`
    with found as materialized (select job.id, ${value} as value from jobs job where ${conjunction(conditions)}),
      page as materialized (select id, value from found order by ${order} limit ${page.limit})
    select ${cardColumns}, job.pos <-> ${pointOf(around)} as chord
    from page join jobs job on job.id = page.id ${ofBusiness} order by ${
      page.by === 'distance' ? sql`page.value, page.id` : sql`page.value desc, page.id desc`
    }`.execute(db);
  return rows;
}

/** How many open jobs (of the category) the box around the circle holds, counted no further than `most`. */
export async function countInBox(
  db: Db,
  around: Around,
  filters: NearbyFilters,
  most: number,
): Promise<number> {
  const conditions = [sql`job.status = 'open'`, inBox(around), ...categoryFilter(filters)];
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from jobs job where ${conjunction(conditions)} limit ${most}) counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How many open jobs fit the filters anywhere, as the planner estimates it: a guess good enough to choose a way by. */
export async function estimateFitting(db: Db, filters: NearbyFilters): Promise<number> {
  const conditions = [sql`job.status = 'open'`, ...categoryFilter(filters), ...otherFilters(filters)];
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select 1 from jobs job where ${conjunction(conditions)}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/** What a walk that stops at `walkLimit` brought: its last row looked at is marked, and counts only where it fits. */
function toWalk(rows: (NearbyRow & { walked: number; fits: boolean })[], limit: number): Walk {
  const fitting = rows.filter((row) => row.fits);
  const gaveUp = rows.some((row) => row.walked === walkLimit);
  return { rows: fitting.slice(0, limit), whole: !gaveUp || fitting.length >= limit };
}
