import type { NearbyCountInput, NearbyInput, NearbyPage } from '@nearhand/contract/hiring/nearby';
import { limits } from '@nearhand/contract/limits';
import { metresOfChord } from '@nearhand/contract/people/great-circle';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb } from '../../platform/db.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { radiusInForce, weekSlots } from './nearby.rules.ts';
import {
  type Around,
  estimateFitting,
  type Found,
  findFreeParts,
  gatherFitting,
  gatherInBox,
  type NearbyFilters,
  type NearbyRow,
  type OrderBy,
  type Wanted,
  walkInOrder,
  walkOutwards,
} from './nearby.sql.ts';
import { commonOf, nearbyCardOf } from './nearby-cards.service.ts';
import { findNearest, mostNearest } from './nearest.sql.ts';
import { circleAround, wordsOf } from './search-terms.service.ts';

/** How many rows each strategy reads before it gives up, and how few matching jobs are fetched without a walk. Each costs at most about 5 ms. */
export const effort = { fitting: 1_500, outwards: 5_000, words: 1_000, box: 3_000, inOrder: 20_000 };
/** No limit. */
const everything = 1_000_000_000;

const radius = z.number().min(0.1).max(limits.radiusMaxKm);
/** The radius in force is part of the cursor, so later pages keep it; then the sort value and id of the last row. */
const cursorShape = z.union([
  z.tuple([z.literal('distance'), radius, z.number().min(0), z.uuid()]),
  z.tuple([z.literal('newest'), radius, z.iso.datetime(), z.uuid()]),
  z.tuple([z.enum(['pay', 'soonest']), radius, z.int32(), z.uuid()]),
]);
type Cursor = z.output<typeof cursorShape>;

/**
 * Open jobs around a point, by great-circle distance to their public place; public. Sorted by distance, newest first, highest hourly pay or
 * soonest start. Fewer than 10 results widen the radius to the next choice with 10, unless disabled. `minPay` leaves out fixed prices, which have no
 * hours; by pay they come last. Words are forgiving (ADR 196).
 * @throws request/bad-cursor for a cursor of another sort or an invalid one
 */
export async function nearbyJobs(
  db: ReadDb,
  scope: Scope<Actor | null>,
  input: NearbyInput,
): Promise<NearbyPage> {
  const cursor = decodeCursor(input.cursor, cursorShape);
  if (cursor && cursor[0] !== input.sort) throw new AppError('request/bad-cursor');
  const { query, respelled } = await wordsOf(db, input.q);
  const filters = await filtersOf(db, scope, input, query);
  const from = { lat: input.lat, lng: input.lng };
  const around = (km: number): Around => circleAround(from, km);
  const { sort: by } = input;
  const after = cursor && ([cursor[2], cursor[3]] as const);
  const limit = Math.max(input.limit + 1, cursor ? 0 : limits.widenBelowResults);

  let radiusKm = cursor?.[1] ?? input.radiusKm;
  let rows = await findPage(db, around(radiusKm), filters, { by, after, limit });
  if (!cursor && input.widen && rows.length < limits.widenBelowResults && radiusKm < limits.radiusMaxKm) {
    const widest = around(limits.radiusMaxKm);
    const nearest = await findPage(db, widest, filters, { by: 'distance', after: null, limit }, true);
    radiusKm = radiusInForce(
      radiusKm,
      nearest.map((row) => metresOfChord(row.chord)),
    );
    rows =
      input.sort === 'distance'
        ? nearest.filter((row) => row.chord <= around(radiusKm).chord)
        : await findPage(db, around(radiusKm), filters, { by, after: null, limit });
  }
  const page = cutPage(rows, input.limit, (row) => cursorOf(input.sort, radiusKm, row));
  const common = commonOf(page.items);
  return {
    items: page.items.map((row) => nearbyCardOf(row, from, common)),
    common,
    nextCursor: page.nextCursor,
    radiusKm,
    widened: radiusKm > input.radiusKm,
    respelled: respelled.map(({ typed, meant }) => ({ typed, meant: [...meant] })),
  };
}

/** The most that is counted. */
const countMax = 100;

/** How many open jobs around a point match, in the radius as given; public. Up to 100, and whether there are more. */
export async function countNearby(
  db: ReadDb,
  scope: Scope<Actor | null>,
  input: NearbyCountInput,
): Promise<{ count: number; more: boolean }> {
  const { query } = await wordsOf(db, input.q);
  const filters = await filtersOf(db, scope, input, query);
  const wanted: Wanted = { by: 'distance', after: null, limit: countMax + 1 };
  const found = await findPage(db, circleAround(input, input.radiusKm), filters, wanted);
  return { count: Math.min(countMax, found.length), more: found.length > countMax };
}

async function filtersOf(
  db: ReadDb,
  { actor }: Scope<Actor | null>,
  input: NearbyCountInput,
  words: string | null,
): Promise<NearbyFilters> {
  const workerId = actor?.accountId;
  return {
    category: input.category ?? null,
    kind: input.kind ?? null,
    minPay: input.minPay || null,
    from: input.from ?? null,
    to: input.to ?? null,
    words,
    instant: input.instant || input.funded || null,
    funded: input.funded || null,
    verified: input.verified || null,
    fits: input.fits && workerId ? { workerId, slots: weekSlots(await findFreeParts(db, workerId)) } : null,
  };
}

function cursorOf(sort: NearbyInput['sort'], radiusKm: number, row: NearbyRow): Cursor {
  if (sort === 'distance') return [sort, radiusKm, row.chord, row.id];
  if (sort === 'newest') return [sort, radiusKm, row.published_at?.toISOString() ?? '', row.id];
  if (sort === 'soonest') return [sort, radiusKm, row.start_rank, row.id];
  return [sort, radiusKm, row.pay_hour_minor ?? 0, row.id];
}

/**
 * One page, by the strategy that should read the fewest rows (ADR 0006). Each strategy gives up at its limit and the next is tried; the
 * last always finishes. `rare`: a smaller circle already had too few.
 */
async function findPage(
  db: ReadDb,
  around: Around,
  filters: NearbyFilters,
  wanted: Wanted,
  rare = false,
): Promise<NearbyRow[]> {
  if (filters.words !== null) return findByWords(db, around, filters, wanted, rare);
  const { category, instant, ...others } = filters;
  const filtered = Object.values(others).some((filter) => filter !== null);
  // There are place indexes by category and of instant hires: a walk by distance reads only matching rows.
  if (wanted.by === 'distance' && !filtered)
    return instant === null && wanted.limit <= mostNearest
      ? findNearest(db, { around, category, after: wanted.after, limit: wanted.limit })
      : (await walkOutwards(db, around, filters, wanted, everything)).rows;

  if (filtered || category !== null || instant !== null) {
    const { open, fitting } = await estimateFitting(db, filters);
    const expectedWalk = (wanted.limit * open) / Math.max(1, fitting);
    if (fitting <= Math.max(effort.fitting, expectedWalk)) return gatherFitting(db, around, filters, wanted);
  }
  const found =
    wanted.by === 'distance'
      ? await walkOutwards(db, around, filters, wanted, effort.outwards)
      : await findInOrder(db, around, filters, { ...wanted, by: wanted.by });
  return found.whole ? found.rows : (await gatherInBox(db, around, filters, wanted, everything)).rows;
}

/** Everything nearby if there is little; otherwise in sort order. */
async function findInOrder(
  db: ReadDb,
  around: Around,
  filters: NearbyFilters,
  wanted: Wanted & { by: OrderBy },
): Promise<Found> {
  const box = await gatherInBox(db, around, filters, wanted, effort.box);
  return box.whole ? box : walkInOrder(db, around, filters, wanted, effort.inOrder);
}

/** A common word is soon found walking outwards; other strategies need all nearby jobs with the word. */
async function findByWords(
  db: ReadDb,
  around: Around,
  filters: NearbyFilters,
  wanted: Wanted,
  rare: boolean,
): Promise<NearbyRow[]> {
  if (wanted.by === 'distance' && !rare) {
    const walk = await walkOutwards(db, around, filters, wanted, effort.words);
    if (walk.whole) return walk.rows;
  }
  return gatherFitting(db, around, filters, wanted);
}
