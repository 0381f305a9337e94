import type { NearbyCountInput, NearbyInput, NearbyPage } from '@nearhand/contract/hiring/nearby';
import { limits } from '@nearhand/contract/limits';
import { metresOfChord } from '@nearhand/contract/people/great-circle';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb } from '../../platform/db.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { expectsToWiden, findPage, startSearch } from './find-page.service.ts';
import { orderBy, radiusInForce, weekSlots } from './nearby.rules.ts';
import { type Around, findFreeParts, type NearbyFilters, type NearbyRow } from './nearby.sql.ts';
import { commonOf, nearbyCardOf } from './nearby-cards.service.ts';
import { circleAround, wordsOf } from './search-terms.service.ts';

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
 * hours; by pay they come last. Words are forgiving (ADR 6).
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

  const askedKm = cursor?.[1] ?? input.radiusKm;
  const [asked, widest] = [around(askedKm), around(limits.radiusMaxKm)];
  const mayWiden = !cursor && input.widen && askedKm < limits.radiusMaxKm;
  const search = await startSearch(db, filters, asked, by);
  const findRows = (circle: Around) => findPage(search, circle, { by, after, limit });
  const findNearestRows = () => findPage(search, widest, { by: 'distance', after: null, limit });

  let radiusKm = askedKm;
  // Where too few are expected, the widest circle is asked first: its nearest say what every circle holds.
  let rows = mayWiden && expectsToWiden(search) ? null : await findRows(asked);
  if (rows === null || (mayWiden && rows.length < limits.widenBelowResults)) {
    const nearest = await findNearestRows();
    radiusKm = radiusInForce(
      askedKm,
      nearest.map((row) => metresOfChord(row.chord)),
    );
    const inForce = around(radiusKm);
    const within = nearest.filter(({ chord }) => chord <= inForce.chord);
    // Those that are left out lie farther, so none within is missing.
    const whole = nearest.length < limit || within.length < nearest.length;
    if (by === 'distance') rows = within;
    else rows = whole ? within.sort(orderBy(by)) : await findRows(inForce);
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
  const circle = circleAround(input, input.radiusKm);
  const search = await startSearch(db, filters, circle, 'distance');
  const found = await findPage(search, circle, { by: 'distance', after: null, limit: countMax + 1 });
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
