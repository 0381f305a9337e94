import { chordOfMetres, metresOfChord, onSphere } from '@nearhand/contract/great-circle';
import type { NearbyInput, NearbyPage } from '@nearhand/contract/jobs';
import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { toCard } from './job-cards.service.ts';
import { radiusInForce, wordQuery } from './nearby.rules.ts';
import {
  type Around,
  countInBox,
  estimateFitting,
  gather,
  type NearbyFilters,
  type NearbyRow,
  walkInOrder,
  walkOutwards,
} from './nearby.sql.ts';

/** Below this many jobs in the box it is quicker to fetch and sort them all than to walk. */
const fewInBox = 3_000;
/** No further does it count what the box holds before it compares with the filters. */
const countAtMost = 30_000;

const radius = z.number().min(0.1).max(limits.radiusMaxKm);
/** The radius in force travels in the cursor, so that later pages keep it; then the sort value and id of the last row. */
const cursorShape = z.union([
  z.tuple([z.literal('distance'), radius, z.number().min(0), z.uuid()]),
  z.tuple([z.literal('newest'), radius, z.iso.datetime(), z.uuid()]),
  z.tuple([z.literal('pay'), radius, z.int32(), z.uuid()]),
]);
type Cursor = z.output<typeof cursorShape>;

/**
 * Open jobs around a point, by great-circle distance to their public place; anyone may ask. Sorted by distance, newest first, or highest pay an hour.
 * Fewer than 10 within the radius widen it to the next choice that holds 10, unless told not to. A fixed price has no hours: `minPay` leaves such
 * tasks out, and by pay they come last.
 * @throws request/bad-cursor for a cursor of another sort or of no list at all
 */
export async function nearbyJobs(
  db: Db,
  _scope: Scope<Actor | null>,
  input: NearbyInput,
): Promise<NearbyPage> {
  const cursor = decodeCursor(input.cursor, cursorShape);
  if (cursor && cursor[0] !== input.sort) throw new AppError('request/bad-cursor');
  const filters = filtersOf(input);
  const from = { lat: input.lat, lng: input.lng };
  const around = (km: number): Around => ({ pos: onSphere(from), chord: chordOfMetres(km * 1000) });
  const wanted = Math.max(input.limit + 1, cursor ? 0 : limits.widenBelowResults);

  let radiusKm = cursor?.[1] ?? input.radiusKm;
  let rows = await findPage(db, around(radiusKm), filters, input.sort, cursor, wanted);
  if (!cursor && input.widen && rows.length < limits.widenBelowResults && radiusKm < limits.radiusMaxKm) {
    const widest = around(limits.radiusMaxKm);
    const nearest = await findPage(db, widest, filters, 'distance', null, wanted);
    radiusKm = radiusInForce(
      radiusKm,
      nearest.map((row) => metresOfChord(row.chord)),
    );
    rows =
      input.sort === 'distance'
        ? nearest.filter((row) => row.chord <= around(radiusKm).chord)
        : await findPage(db, around(radiusKm), filters, input.sort, null, wanted);
  }
  const page = cutPage(rows, input.limit, (row) => cursorOf(input.sort, radiusKm, row));
  return {
    items: page.items.map((row) => toCard(row, { knowsPlace: false, from })),
    nextCursor: page.nextCursor,
    radiusKm,
    widened: radiusKm > input.radiusKm,
  };
}

function filtersOf(input: NearbyInput): NearbyFilters {
  return {
    category: input.category ?? null,
    kind: input.kind ?? null,
    minPay: input.minPay || null,
    from: input.from ?? null,
    to: input.to ?? null,
    words: input.q === undefined ? null : wordQuery(input.q),
  };
}

function cursorOf(sort: NearbyInput['sort'], radiusKm: number, row: NearbyRow): Cursor {
  if (sort === 'distance') return [sort, radiusKm, row.chord, row.id];
  if (sort === 'newest') return [sort, radiusKm, row.published_at?.toISOString() ?? '', row.id];
  return [sort, radiusKm, row.pay_hour_minor ?? 0, row.id];
}

/**
 * One page, by the way that looks at the fewest rows: outwards through the index of places, or down the order where the circle holds many jobs.
 * Both give up after some thousand rows; then everything that fits is gathered, through the box or through the filters (ADR 0006).
 */
async function findPage(
  db: Db,
  around: Around,
  filters: NearbyFilters,
  sort: NearbyInput['sort'],
  cursor: Cursor | null,
  limit: number,
): Promise<NearbyRow[]> {
  if (sort === 'distance') {
    const after = cursor ? ([Number(cursor[2]), cursor[3]] as const) : null;
    const walk = await walkOutwards(db, around, filters, { after, limit });
    if (walk.whole) return walk.rows;
    return gather(
      db,
      around,
      filters,
      { by: 'distance', after, limit },
      await leastThrough(db, around, filters),
    );
  }
  const page = { by: sort, after: cursor ? ([cursor[2], cursor[3]] as const) : null, limit };
  if ((await countInBox(db, around, filters, fewInBox)) < fewInBox)
    return gather(db, around, filters, page, 'box');
  const walk = await walkInOrder(db, around, filters, page);
  if (walk.whole) return walk.rows;
  return gather(db, around, filters, page, await leastThrough(db, around, filters));
}

async function leastThrough(db: Db, around: Around, filters: NearbyFilters): Promise<'box' | 'filters'> {
  const fitting = await estimateFitting(db, filters);
  return fitting < (await countInBox(db, around, filters, countAtMost)) ? 'filters' : 'box';
}
