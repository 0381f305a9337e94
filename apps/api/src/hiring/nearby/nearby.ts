import {
  type NearbyCountInput,
  type NearbyInput,
  type NearbyPage,
  nearby,
} from '@nearhand/contract/hiring/nearby';
import type { NearbyCard } from '@nearhand/contract/hiring/nearby-card';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { metresBetween, metresOfChord } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { type DayPart, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability, WorkerSkill } from '@nearhand/contract/people/profiles';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, encodeCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { seriesOf } from '../jobs/jobs.columns.ts';
import { type BestPosition, bestPage, marksShape, nearestFirst, windowOf } from './best-match.rules.ts';
import { expectsToWiden, findPage, prepareSearch } from './find-page.ts';
import { circleAround, type SearchArea } from './search-area.ts';
import type { NearbyFilters } from './search-filters.ts';
import {
  findFirstDates,
  findFreeParts,
  type NearbyRow,
  type OrderBy,
  type PageRequest,
  type SeriesSummary,
} from './search-reads.ts';
import { relevanceQueries, splitsOf } from './search-words.rules.ts';
import { leaveOutWords, searchWords, suggestWords } from './search-words.ts';

const radius = z.number().min(0.1).max(nearbyLimits.radiusMaxKm);
/** The cursor carries the radius in force, then the sort value and id of the last row. */
const cursorShape = z.union([
  z.tuple([z.literal('distance'), radius, z.number().min(0), z.uuid()]),
  z.tuple([z.literal('newest'), radius, z.iso.datetime(), z.uuid()]),
  z.tuple([z.enum(['pay', 'total', 'soonest']), radius, z.int32(), z.uuid()]),
  /** The last match before the window, if any, and the marks of jobs shown since. */
  z.tuple([
    z.literal('best'),
    radius,
    z.number().min(0),
    z.union([z.uuid(), z.literal('')]),
    z.string().regex(marksShape),
  ]),
]);
type Cursor = z.output<typeof cursorShape>;

/**
 * Lists open jobs around a point, measured to their public place. Widens the radius below 10 results, and
 * leaves out words that no job around uses if nothing has all words.
 */
export async function nearbyJobs(
  db: ReadDb,
  scope: Scope<Actor | null>,
  input: NearbyInput,
): Promise<NearbyPage> {
  const cursor = decodeCursor(input.cursor, cursorShape);
  if (cursor && cursor[0] !== input.sort) throw new AppError('request/bad-cursor');
  const { query, respelled } = await searchWords(db, input.q);
  const filters = await filtersOf(db, scope, input, query);
  const from = { lat: input.lat, lng: input.lng };
  const areaWithin = (km: number): SearchArea => circleAround(from, km);
  const { sort } = input;
  const best = sort === 'best' ? bestPosition(cursor) : null;
  const by = sort === 'best' ? 'distance' : sort;
  const after = best ? best.after : cursor && ([cursor[2], cursor[3]] as const);
  const rowsOfPage = best ? windowOf(input.limit) : input.limit;
  const limit = Math.max(rowsOfPage + 1, cursor ? 0 : nearbyLimits.widenBelowResults);
  const relevance = best && input.q ? relevanceQueries(input.q, respelled) : null;

  const askedKm = cursor?.[1] ?? input.radiusKm;
  const requested = areaWithin(askedKm);
  const widest = areaWithin(nearbyLimits.radiusMaxKm);
  const mayWiden = !cursor && input.widen && askedKm < nearbyLimits.radiusMaxKm;
  const search = await prepareSearch(db, filters, requested, by);
  const findRows = (circle: SearchArea) => findPage(search, circle, { by, after, limit, relevance });
  const findNearestRows = () =>
    findPage(search, widest, { by: 'distance', after: null, limit, relevance, sortedBy: by });

  let radiusKm = askedKm;
  let rows = mayWiden && expectsToWiden(search) ? null : await findRows(requested);
  if (rows === null || (mayWiden && rows.length < nearbyLimits.widenBelowResults)) {
    const nearest = await findNearestRows();
    radiusKm = radiusInForce(
      askedKm,
      nearest.map((row) => metresOfChord(row.chord)),
    );
    const inForce = areaWithin(radiusKm);
    const within = nearest.filter(({ chord }) => chord <= inForce.chord);
    // Rows beyond the limit are farther away, so none within the circle is missing.
    const isComplete = nearest.length < limit || within.length < nearest.length;
    if (by === 'distance') rows = within;
    else rows = isComplete ? within.sort(orderBy(by)) : await findRows(inForce);
  }
  const splits = input.q && !cursor && rows.length === 0 ? { splits: splitsOf(input.q, respelled) } : {};
  let suggestions: string[] | undefined;
  if (input.q && rows.length === 0) {
    const leftOut = await leaveOutWords(db, input.q, respelled, widest);
    const shorterSearch = leftOut && (await nearbyJobs(db, scope, { ...input, q: leftOut.searched }));
    if (shorterSearch && shorterSearch.items.length > 0) return { ...shorterSearch, ...splits, leftOut };
    if (!cursor) suggestions = await suggestWords(db, input.q, widest);
  }
  const page = best
    ? bestOf(rows, input.limit, radiusKm, best)
    : cutPage(rows, input.limit, (row) => cursorOf(by, radiusKm, row));
  const items = await firstDates(db, filters, areaWithin(radiusKm), page.items);
  if (items.length === 0 && page.nextCursor !== null)
    return nearbyJobs(db, scope, { ...input, cursor: page.nextCursor });
  const common = commonOf(items);
  const skills = sort === 'distance' && scope.actor ? await findSkills(db, scope.actor.accountId) : [];
  const cards = items.map((row) => nearbyCardOf(row, { from, common, skills }));
  return {
    items: sort === 'distance' ? nearestFirst(cards, items[0]?.timeZone ?? '') : cards,
    common,
    nextCursor: page.nextCursor,
    radiusKm,
    widened: radiusKm > input.radiusKm,
    respelled: respelled.map(({ typed, meant }) => ({ typed, meant: [...meant] })),
    ...splits,
    ...(suggestions ? { suggestions } : {}),
  };
}

const { countMax } = nearbyLimits;

/**
 * Counts up to 100 matching open jobs around a point, and ignores the same words as the list. For
 * anyone.
 */
async function countNearby(
  db: ReadDb,
  scope: Scope<Actor | null>,
  input: NearbyCountInput,
): Promise<{ count: number; more: boolean }> {
  const { query, respelled } = await searchWords(db, input.q);
  const filters = await filtersOf(db, scope, input, query);
  const circle = circleAround(input, input.radiusKm);
  const search = await prepareSearch(db, filters, circle, 'distance');
  const jobIds = new Set<string>();
  let after: [number, string] | null = null;
  // The shifts of a series count once, so that one page can be too few.
  do {
    const page: NearbyRow[] = await findPage(search, circle, { by: 'distance', after, limit: countMax + 1 });
    for (const { id, seriesId, asBlock } of page)
      jobIds.add(seriesId === null ? id : `${seriesId} ${asBlock}`);
    const last = page[countMax];
    after = last && jobIds.size <= countMax ? [last.chord, last.id] : null;
  } while (after !== null);
  if (input.q && jobIds.size === 0) {
    const leftOut = await leaveOutWords(
      db,
      input.q,
      respelled,
      circleAround(input, nearbyLimits.radiusMaxKm),
    );
    if (leftOut) return countNearby(db, scope, { ...input, q: leftOut.searched });
  }
  return { count: Math.min(countMax, jobIds.size), more: jobIds.size > countMax };
}

type PageRow = NearbyRow & { series?: SeriesSummary };

/**
 * Leaves out all but the first matching shift of each series. Runs after paging, because the searches walk
 * indexes that don't have the series, so a page with series has fewer jobs.
 */
async function firstDates(
  db: ReadDb,
  filters: NearbyFilters,
  circle: SearchArea,
  rows: readonly NearbyRow[],
): Promise<PageRow[]> {
  const seriesIds = new Set(rows.flatMap(({ seriesId }) => seriesId ?? []));
  if (seriesIds.size === 0) return [...rows];
  const firstDates = await findFirstDates(db, circle, filters, [...seriesIds]);
  return rows.flatMap((row) => {
    if (row.seriesId === null) return [row];
    const series = firstDates.get(row.id);
    return series ? [{ ...row, series }] : [];
  });
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
    minTotal: input.minTotal || null,
    weekdays: input.weekdays?.map((weekday) => weekdays.indexOf(weekday) + 1) ?? null,
    startsFrom: input.startsFrom ?? null,
    endsBy: input.endsBy ?? null,
    maxMinutes: input.maxMinutes ?? null,
    from: input.from ?? null,
    to: input.to ?? null,
    words,
    instant: input.instant || input.funded || null,
    funded: input.funded || null,
    verified: input.verified || null,
    evening: input.evening || null,
    morning: input.morning || null,
    afternoon: input.afternoon || null,
    fits: input.fits && workerId ? { workerId, slots: weekSlots(await findFreeParts(db, workerId)) } : null,
  };
}

function bestPosition(cursor: Cursor | null): BestPosition {
  if (cursor?.[0] !== 'best') return { after: null, seen: '' };
  const [, , chord, id, seen] = cursor;
  return { after: id === '' ? null : [chord, id], seen };
}

function bestOf(rows: readonly NearbyRow[], limit: number, radiusKm: number, position: BestPosition) {
  const { items, next } = bestPage(rows, limit, position);
  const [chord, id] = next?.after ?? [0, ''];
  return {
    items,
    nextCursor: next && encodeCursor(['best', radiusKm, chord, id, next.seen] satisfies Cursor),
  };
}

function cursorOf(sort: PageRequest['by'], radiusKm: number, row: NearbyRow): Cursor {
  if (sort === 'distance') return [sort, radiusKm, row.chord, row.id];
  if (sort === 'newest') return [sort, radiusKm, row.publishedAt?.toISOString() ?? '', row.id];
  if (sort === 'soonest') return [sort, radiusKm, row.startRank ?? 0, row.id];
  if (sort === 'total') return [sort, radiusKm, row.totalRank ?? 0, row.id];
  return [sort, radiusKm, row.payHourMinor ?? 0, row.id];
}

const widerRadii = (radiusKm: number): number[] =>
  nearbyLimits.radiusChoicesKm.filter((choice) => choice > radiusKm);

/** The requested radius if it holds 10 results, otherwise the next that does (product.md). `nearestM` is sorted. */
export function radiusInForce(askedKm: number, nearestM: readonly number[]): number {
  const enough = nearbyLimits.widenBelowResults;
  const farthestNeeded = nearestM[enough - 1];
  const choices = [askedKm, ...widerRadii(askedKm)];
  const fitting = choices.find((km) => farthestNeeded !== undefined && farthestNeeded <= km * 1000);
  return fitting ?? choices.at(-1) ?? askedKm;
}

const sortValues: Record<OrderBy, (row: NearbyRow) => number> = {
  newest: (row) => row.publishedAt?.getTime() ?? 0,
  pay: (row) => row.payHourMinor ?? 0,
  total: (row) => row.totalRank ?? 0,
  soonest: (row) => row.startRank ?? 0,
};

function orderBy(by: OrderBy): (a: NearbyRow, b: NearbyRow) => number {
  const value = sortValues[by];
  return (a, b) => value(b) - value(a) || (a.id < b.id ? 1 : -1);
}

const partsFromMidnight: readonly DayPart[] = ['night', 'morning', 'afternoon', 'evening'];

/** Numbers the free parts, 0 to 27, beginning with Monday's night; null if nothing or everything is free. */
function weekSlots(grid: Availability): number[] | null {
  const count = weekdays.length * partsFromMidnight.length;
  if (grid.length === 0 || grid.length === count) return null;
  return grid.map(
    ({ day, part }) => weekdays.indexOf(day) * partsFromMidnight.length + partsFromMidnight.indexOf(part),
  );
}

type Common = NonNullable<NearbyPage['common']>;

const commonOf = ([first]: readonly PageRow[]): Common | null =>
  first === undefined
    ? null
    : {
        currency: first.currency,
        timeZone: first.timeZone,
        unit: first.payUnit,
        unpaidMinutes: unpaidMinutesOf(first),
      };

const unpaidMinutesOf = (row: PageRow): number => (row.breakPaid ? 0 : row.breakMinutes);

async function findSkills(db: ReadDb, accountId: string): Promise<readonly SkillId[]> {
  const profile = await db
    .selectFrom('profiles')
    .select('skills')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return ((profile?.skills ?? []) as WorkerSkill[]).map(({ skill }) => skill);
}

type CardContext = { from: Point; common: Common | null; skills: readonly SkillId[] };

function nearbyCardOf(row: PageRow, { from, common, skills }: CardContext): NearbyCard {
  const { startsAt: starts, endsAt: ends } = row;
  const place = { lat: row.shownLat, lng: row.shownLng };
  const rating = ratingOf(row.businessStars);
  const unpaid = unpaidMinutesOf(row);
  return {
    id: row.id,
    title: row.title,
    category: row.category,
    business: {
      name: row.businessName,
      verified: row.businessVerified || undefined,
      logoPath: row.businessLogo === null ? undefined : fileContentPath(row.businessLogo),
      rating: rating.averageTenths === null ? undefined : rating,
    },
    pay: {
      minor: row.payMinor ?? 0,
      maxMinor: row.payMaxMinor ?? undefined,
      currency: row.currency === common?.currency ? undefined : row.currency,
      unit: row.payUnit === common?.unit ? undefined : row.payUnit,
      unpaidMinutes: starts && ends && unpaid !== common?.unpaidMinutes ? unpaid : undefined,
      workerFeeBasisPoints: row.workerFeeBasisPoints || undefined,
    },
    place: { lat: toMetre(place.lat), lng: toMetre(place.lng), blurred: row.blurred || undefined },
    distanceM: Math.round(metresBetween(from, place)),
    startsAt: starts ? shortInstant(starts) : undefined,
    endsAt: ends ? shortInstant(ends) : undefined,
    dueOn: row.dueOn ?? undefined,
    hoursNote: row.hoursNote ?? undefined,
    timeZone: row.timeZone === common?.timeZone ? undefined : row.timeZone,
    instantHire: row.instantHire || undefined,
    funded: row.funded || undefined,
    matchesSkills: row.skills.some((skill) => skills.includes(skill)) || undefined,
    series: row.series && (seriesOf({ series: row.series }) ?? undefined),
  };
}

const degreesPerMetre = 100_000;
const toMetre = (degrees: number): number => Math.round(degrees * degreesPerMetre) / degreesPerMetre;

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Three times faster than `toISOString`, which a page calls forty times. */
function shortInstant(at: Date): string {
  const year = at.getUTCFullYear();
  const isShort = at.getUTCMilliseconds() === 0 && year >= 1_000 && year <= 9_999;
  if (!isShort) return at.toISOString();
  const [month, day] = [twoDigits(at.getUTCMonth() + 1), twoDigits(at.getUTCDate())];
  const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(twoDigits);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}

export const nearbyRoutes = {
  search: read(nearby.search, nearbyJobs, { recent: true }),
  count: read(nearby.count, countNearby, { recent: true }),
};
