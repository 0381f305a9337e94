import { limits } from '@nearhand/contract/limits';
import type { JobKind } from '@nearhand/contract/work/terms';
import { type RawBuilder, sql } from 'kysely';
import { takesTime } from '../../work/engagements/engagements.sql.ts';

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
export const hasWords = (words: string | null): RawBuilder<unknown>[] =>
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

/** A subquery, or the planner would call `words_by_square` for every open job (ADR 256). */
export const wordsInSquares = (words: string, squares: readonly string[]): RawBuilder<unknown>[] => [
  // Letters that the dictionary drops, such as "𝟘", leave an empty query, which matches nothing.
  sql`words_by_square(job.words) @@ (select query_by_square(case when numnode(query) > 0 then query end, ${[...squares]}::text[])
    from to_tsquery('nearhand', ${words}) as query)`,
  ...(words.includes('<') ? [sql`ts_match_vq(job.words, to_tsquery('nearhand', ${words}))`] : []),
];
