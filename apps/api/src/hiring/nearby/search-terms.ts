import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import { limits } from '@nearhand/contract/limits';
import { chordOfMetres, earthRadiusM, onSphere } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import type { Availability } from '@nearhand/contract/people/profiles';
import type { JobKind } from '@nearhand/contract/work/terms';
import { type RawBuilder, sql } from 'kysely';
import type { Db, ReadDb } from '../../platform/db.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { takesTime } from '../../work/engagements/engagements.sql.ts';
import { type CardRow, type ShownRow, seriesSummary, shownColumns } from '../jobs/jobs.columns.ts';
import {
  findRespelling,
  isNearWord,
  type KnownWord,
  possibleTypos,
  queriesOfParts,
  type Relevance,
  type Respelling,
  respelledLength,
  typedWords,
  wordQuery,
  wordsForWork,
} from './search-words.rules.ts';

/** Nearby search and saved searches must find the same jobs (ADR 151). */
export const circleAround = (from: Point, radiusKm: number): SearchArea => ({
  pos: onSphere(from),
  chord: chordOfMetres(radiusKm * 1000),
  // The usual search needs none.
  get squares() {
    return squaresAround(from, radiusKm * 1000);
  },
});

/** The query is null if no words were typed, and then filters nothing. */
export type SearchWords = { query: string | null; respelled: readonly Respelling[] };

/** Typed text as a full-text query with plurals, synonyms and corrected typing errors (ADR 6). */
export async function searchWords(db: ReadDb, typed: string | null | undefined): Promise<SearchWords> {
  if (typed === null || typed === undefined) return { query: null, respelled: [] };
  const doubtful = possibleTypos(typed);
  if (doubtful.length === 0) return { query: wordQuery(typed), respelled: [] };
  const last = typedWords(typed).at(-1)?.toLowerCase();
  const respelled = (await findNeighbours(db, doubtful)).flatMap(({ typed: word, begins, neighbours }) => {
    const isListedWord = neighbours.some((neighbour) => neighbour.word === word);
    if (word === last && begins && !isListedWord) return [];
    return findRespelling(word, neighbours) ?? [];
  });
  return { query: wordQuery(typed, respelled), respelled };
}

const degrees = (radians: number) => (radians * 180) / Math.PI;
const radians = (degree: number) => (degree * Math.PI) / 180;

const bandOf = (lat: number) => Math.min(359, Math.floor((lat + 90) * 2));
const piecesOf = (band: number) => Math.max(1, Math.round(720 * Math.cos(radians(band / 2 - 89.75))));
const pieceOf = (lng: number, pieces: number) => Math.floor(((lng + 180) / 360) * pieces);

/** The squares that a circle touches, or a few more; across the date line and the poles too. */
export function squaresAround(centre: Point, metres: number): string[] {
  const reach = (metres + 1) / earthRadiusM;
  const south = Math.max(-90, centre.lat - degrees(reach));
  const north = Math.min(90, centre.lat + degrees(reach));
  const half =
    south <= -90 || north >= 90 ? 180 : degrees(Math.asin(Math.sin(reach) / Math.cos(radians(centre.lat))));
  const squares: string[] = [];
  for (let band = bandOf(south); band <= bandOf(north); band += 1) {
    const pieces = piecesOf(band);
    const first = pieceOf(centre.lng - half, pieces);
    const count = Math.min(pieces, pieceOf(centre.lng + half, pieces) - first + 1);
    for (let piece = first; piece < first + count; piece += 1)
      squares.push(`${band}.${((piece % pieces) + pieces) % pieces}`);
  }
  return squares;
}

/** `begins`: the typed word is a prefix of a known word. One statement, because every search by words runs it. */
async function findNeighbours(
  db: ReadDb,
  words: readonly string[],
): Promise<{ typed: string; begins: boolean; neighbours: KnownWord[] }[]> {
  const { rows } = await sql<{ typed: string; begins: boolean; neighbours: KnownWord[] }>`${keptPlan}
    select typed, exists (select from search_words where word >= typed and word < typed || chr(1114111)) as begins,
      coalesce((select jsonb_agg(jsonb_build_object('word', word, 'jobs', jobs)) from search_words
        where near && near_spellings(typed)), '[]') as neighbours
    from jsonb_array_elements_text(${JSON.stringify(words)}::jsonb) as list (typed)`.execute(db);
  return rows;
}

/** Writes words in alphabetical order, so that two jobs with the same words can't deadlock. */
export async function learnWords(db: Db, jobId: string): Promise<void> {
  await sql`insert into search_words (word, jobs)
    select lexeme, 1 from jobs, unnest(tsvector_to_array(jobs.words)) as lexeme
    where jobs.id = ${jobId} and jobs.status = 'open'
      and length(lexeme) between ${respelledLength.min} and ${respelledLength.max}
      and lexeme ~ '^[[:alpha:]]+$' and lexeme !~ '^skill.'
    order by lexeme collate "C"
    on conflict (word) do update set jobs = search_words.jobs + 1`.execute(db);
}

/**
 * `minPay` in hourly minor units, `minTotal` for the whole job; days and minutes of a day in the
 * job's zone, `weekdays` from 1 for Monday to 7.
 */
export type NearbyFilters = {
  category: string | null;
  kind: JobKind | null;
  minPay: number | null;
  minTotal: number | null;
  weekdays: readonly number[] | null;
  startsFrom: number | null;
  endsBy: number | null;
  maxMinutes: number | null;
  from: string | null;
  to: string | null;
  words: string | null;
  instant: true | null;
  funded: true | null;
  verified: true | null;
  evening: true | null;
  morning: true | null;
  afternoon: true | null;
  /** Keeps jobs that fit these weekly slots and don't overlap the worker's bookings; null keeps all. */
  fits: { workerId: string; slots: readonly number[] | null } | null;
};

/** The centre of a search as a point on the sphere, and its radius as a chord in metres (ADR 6). */
export type SearchArea = {
  pos: readonly [number, number, number];
  chord: number;
  squares: readonly string[];
};

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

/** The values of other orders than distance. */
export const orderColumns = sql`job.published_at, job.pay_hour_minor, job.start_rank, job.total_rank`;
type OrderValues = {
  publishedAt: Date | null;
  payHourMinor: number | null;
  startRank: number;
  totalRank: number;
};

/** The values of orders are there if the rows are sorted by one. */
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

const pointOf = (area: SearchArea) => sql`${`(${area.pos.join(',')})`}::cube`;
const chordTo = (area: SearchArea) => sql`(job.pos <-> ${pointOf(area)})`;
export const inCircle = (area: SearchArea) => sql`${chordTo(area)} <= ${area.chord}::float8`;
const inBox = (area: SearchArea) =>
  sql`job.pos <@ cube_enlarge(${pointOf(area)}, ${area.chord + 0.01}::float8, 3)`;
/** Indexes of sorted jobs begin with the grid square of the place. */
export const squareOf = sql`geo_square(job.public_lat, job.public_lng)`;
export const isOpenJob = sql`job.status = 'open'`;

export const allTrue = (conditions: RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** The filters with an index by place; `otherFilters` are tested on each row. */
export const indexedFilters = ({ category, instant }: NearbyFilters) => [
  ...(category === null ? [] : [sql`job.category = ${category}`]),
  ...(instant ? [sql`job.instant_hire`] : []),
];

/** Six-hour parts of a week in local time, as `weekSlots` numbers them; the epoch was a Thursday. */
const quarterOfDay = (at: RawBuilder<unknown>, round: 'floor' | 'ceil') =>
  sql`${sql.raw(round)}(extract(epoch from ${at} at time zone job.time_zone) / 21600)::integer`;

const fitsWorker = ({
  workerId,
  slots,
}: NonNullable<NearbyFilters['fits']>) => sql`(job.starts_at is null or (
    not exists (select from engagements engagement where engagement.worker_id = ${workerId}
      and ${takesTime('engagement')}
      and engagement.sort_at > job.starts_at - make_interval(mins => ${limits.shiftMinutesMax}) and engagement.sort_at < job.ends_at
      and engagement.starts_at < job.ends_at and engagement.ends_at > job.starts_at)
    ${
      slots === null
        ? sql``
        : sql`and not exists (select
          from generate_series(${quarterOfDay(sql`job.starts_at`, 'floor')},
          ${quarterOfDay(sql`job.ends_at`, 'ceil')} - 1) as slot
      where not (slot + 12) % 28 = any(${[...slots]}::integer[]))`
    }))`;

const eveningFromHour = 16;
const morningHours = { from: 5, before: 12 };
const localTime = (at: RawBuilder<unknown>) => sql`(${at} at time zone job.time_zone)`;
const startHour = sql`extract(hour from ${localTime(sql`job.starts_at`)})`;

/** Starts in one of the chosen parts of the day; no condition if none is chosen. */
function inPartsOfDay({
  morning,
  afternoon,
  evening,
}: Pick<NearbyFilters, 'morning' | 'afternoon' | 'evening'>): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [];
  if (morning)
    parts.push(sql`${startHour} >= ${morningHours.from} and ${startHour} < ${morningHours.before}`);
  if (afternoon)
    parts.push(sql`${startHour} >= ${morningHours.before} and ${startHour} < ${eveningFromHour}`);
  if (evening) parts.push(sql`${startHour} >= ${eveningFromHour}`);
  return parts.length === 0 ? [] : [sql`(${sql.join(parts, sql` or `)})`];
}

/**
 * The conditions of all filters that need no word search. `search-matches.ts` restates them; change both
 * together.
 */
export function otherFilters(filters: NearbyFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (filters.kind !== null) conditions.push(sql`job.kind = ${filters.kind}`);
  if (filters.minPay !== null) conditions.push(sql`job.pay_rank >= ${filters.minPay}`);
  if (filters.minTotal !== null) conditions.push(sql`job.total_rank >= ${filters.minTotal}`);
  if (filters.weekdays !== null)
    conditions.push(sql`extract(isodow from job.start_day) = any(${[...filters.weekdays]}::integer[])`);
  if (filters.startsFrom !== null)
    conditions.push(
      sql`${localTime(sql`job.starts_at`)}::time >= time '00:00' + make_interval(mins => ${filters.startsFrom})`,
    );
  if (filters.endsBy !== null)
    conditions.push(
      sql`${localTime(sql`job.ends_at`)} <= job.start_day + make_interval(mins => ${filters.endsBy})`,
    );
  if (filters.maxMinutes !== null)
    conditions.push(sql`job.ends_at - job.starts_at <= make_interval(mins => ${filters.maxMinutes})`);
  if (filters.from !== null) conditions.push(sql`job.start_day >= ${filters.from}::date`);
  if (filters.to !== null) conditions.push(sql`job.start_day <= ${filters.to}::date`);
  if (filters.verified)
    conditions.push(
      sql`exists (select from businesses owner where owner.id = job.business_id and owner.status = 'verified')`,
    );
  if (filters.funded)
    conditions.push(sql`exists (select from holds where holds.job_id = job.id and holds.offer_id is null
      and holds.status = 'held' and not holds.frozen)`);
  conditions.push(...inPartsOfDay(filters));
  if (filters.fits !== null) conditions.push(fitsWorker(filters.fits));
  if (filters.words !== null) conditions.push(sql`job.words @@ to_tsquery('nearhand', ${filters.words})`);
  return conditions;
}

/** A subquery, because a cached plan would parse the words again for each job. */
const hasWords = (words: string | null): RawBuilder<unknown>[] =>
  words === null ? [] : [sql`job.words @@ (select to_tsquery('nearhand', ${words}))`];

const hourFilters = [
  'fits',
  'evening',
  'morning',
  'afternoon',
  'startsFrom',
  'endsBy',
  'maxMinutes',
] as const;

/** Index columns come first, so a walk by them need not visit the rows. */
export const filterColumns = ({ words, minTotal, verified, ...filters }: NearbyFilters) =>
  sql.join([
    sql`job.category, job.kind, job.pay_rank, job.start_day`,
    ...(minTotal === null ? [] : [sql`job.total_rank`]),
    ...(words === null ? [] : [sql`job.words`]),
    ...(verified ? [sql`job.business_id`] : []),
    ...(hourFilters.every((name) => filters[name] === null)
      ? []
      : [sql`job.starts_at, job.ends_at, job.time_zone`]),
  ]);

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

/** A subquery, or the planner would call `words_by_square` for every open job (ADR 256). */
const wordsInSquares = (words: string, squares: readonly string[]): RawBuilder<unknown>[] => [
  // Letters that the dictionary drops, such as "𝟘", leave an empty query, which matches nothing.
  sql`words_by_square(job.words) @@ (select query_by_square(case when numnode(query) > 0 then query end, ${[...squares]}::text[])
    from to_tsquery('nearhand', ${words}) as query)`,
  ...(words.includes('<') ? [sql`ts_match_vq(job.words, to_tsquery('nearhand', ${words}))`] : []),
];

/** Returns for each full-text query whether an open job in the circle matches it. */
async function matchAround(db: ReadDb, queries: readonly string[], area: SearchArea): Promise<boolean[]> {
  const matches = queries.map(
    (query) =>
      sql`exists (select from jobs job where ${allTrue([isOpenJob, inCircle(area), ...wordsInSquares(query, area.squares)])})`,
  );
  const { rows } = await sql<{ matching: boolean[] }>`
    select array[${sql.join(matches)}] as matching`.execute(db);
  return rows[0]?.matching ?? [];
}

const typosMax = 3;
const similarMax = 40;
const candidatesMax = 8;
const suggestionsMax = 3;

/**
 * Known words near a typed one that no job uses, which open jobs in the circle match, the most similar first.
 * Index: `search_words_similar`.
 */
export async function suggestWords(db: ReadDb, typed: string, area: SearchArea): Promise<string[]> {
  const words = possibleTypos(typed).slice(0, typosMax);
  if (words.length === 0) return [];
  // `%` is true from a third of the trigrams in common: "gardning" and "gardening" have half.
  const { rows } = await sql<{ word: string }>`
    select candidate.word from unnest(${words}::text[]) as typed (word)
      cross join lateral (
        select near.word, near.jobs from search_words near where near.word % typed.word
        union all select listed.word, 0 from unnest(${[...wordsForWork]}::text[]) as listed (word) where listed.word % typed.word
      ) candidate
    where candidate.word <> typed.word and not exists (select from search_words used where used.word = typed.word)
    group by candidate.word order by max(similarity(candidate.word, typed.word)) desc, max(candidate.jobs) desc, candidate.word
    limit ${similarMax}`.execute(db);
  const candidates = rows
    .map(({ word }) => word)
    .filter((word) => words.some((typedWord) => isNearWord(typedWord, word)))
    .slice(0, candidatesMax);
  if (candidates.length === 0) return [];
  const queries = candidates.map((word) => wordQuery(word) ?? '');
  const matching = await matchAround(db, queries, area);
  return candidates.filter((_, at) => matching[at]).slice(0, suggestionsMax);
}

/**
 * The typed words to leave out if no job has all of them: words that no open job in a circle uses or, if all
 * are used, words that don't name work. Null if that would leave out none or all.
 */
export async function leaveOutWords(
  db: ReadDb,
  typed: string,
  respelled: readonly Respelling[],
  area: SearchArea,
): Promise<NearbyPage['leftOut'] | null> {
  const parts = queriesOfParts(typed, respelled);
  if (parts.length < 2) return null;
  const used = await matchAround(
    db,
    parts.map(({ query }) => query),
    area,
  );
  const isAllUsed = used.every((isUsed) => isUsed);
  const isSearched = (part: (typeof parts)[number], at: number) => (isAllUsed ? part.isWork : used[at]);
  const searched = parts.filter(isSearched);
  if (searched.length === 0 || searched.length === parts.length) return null;
  const words = parts.filter((part, at) => !isSearched(part, at));
  return { words: words.map(({ text }) => text), searched: searched.map(({ text }) => text).join(' ') };
}

/** Indexes of pay, kind and day start with the square, so a filter costs no more than its nearby jobs. */
const inSquares = ({ squares }: SearchArea): RawBuilder<unknown> =>
  sql`${squareOf} = any(${[...squares]}::text[])`;

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
      select distinct on (job.series_id) job.id, job.series_id from jobs job
      where job.series_id = any(${[...seriesIds]}::uuid[]) and ${matches}
      order by job.series_id, job.starts_at, job.id) job`.execute(db);
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
