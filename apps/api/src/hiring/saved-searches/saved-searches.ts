import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type SavedSearch, savedSearches } from '@nearhand/contract/hiring/saved-searches';
import type { SearchAlert } from '@nearhand/contract/hiring/saved-searches.rules';
import type { Weekday } from '@nearhand/contract/people/profile-choices';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { JobKind } from '@nearhand/contract/work/terms';
import zoneOf from '@photostructure/tz-lookup';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { circleAround } from '../nearby/search-area.ts';
import { searchWords } from '../nearby/search-words.ts';
import { dueAlertsTask } from './job-alerts.ts';
import { deleteAlertsTask, matchJobTask } from './search-matches.ts';

type SearchRow = {
  id: string;
  accountId: string;
  name: string;
  place: string;
  lat: number;
  lng: number;
  radiusKm: number;
  category: CategoryId | null;
  kind: JobKind | null;
  minPay: number | null;
  minTotal: number | null;
  weekdays: Weekday[];
  startsFrom: number | null;
  endsBy: number | null;
  maxMinutes: number | null;
  currency: Currency | null;
  fromDay: string | null;
  toDay: string | null;
  typed: string | null;
  alert: SearchAlert;
  savedAt: Date;
};

/** `pos` and `chord` as in nearby search, `words` a full-text query (`nearby.ts`). */
type NewSearch = SearchRow & {
  pos: readonly [number, number, number];
  chord: number;
  words: string | null;
};

const columns = [
  'id',
  'accountId',
  'name',
  'place',
  'lat',
  'lng',
  'radiusKm',
  'category',
  'kind',
  'minPay',
  'minTotal',
  'weekdays',
  'startsFrom',
  'endsBy',
  'maxMinutes',
  'currency',
  'fromDay',
  'toDay',
  'typed',
  'alert',
  'savedAt',
] as const;

const emitSearch = (tx: Tx, row: Pick<SearchRow, 'id' | 'accountId'>) =>
  emitRecord(tx, 'saved-search', { id: row.id, workerId: row.accountId });

async function insertSearch(tx: Tx, row: NewSearch, max: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into saved_searches (id, account_id, name, place, lat, lng, radius_km, pos, chord, category, kind, min_pay, min_total, weekdays,
      starts_from, ends_by, max_minutes, currency, from_day, to_day, typed, words, alert, alerts_since, saved_at)
    select ${row.id}::uuid, ${row.accountId}::uuid, ${row.name}, ${row.place}, ${row.lat}::float8, ${row.lng}::float8,
      ${row.radiusKm}::float8, ${`(${row.pos.join(',')})`}::cube, ${row.chord}::float8, ${row.category}::text, ${row.kind}::text,
      ${row.minPay}::integer, ${row.minTotal}::integer, ${row.weekdays}::text[],
      ${row.startsFrom}::smallint, ${row.endsBy}::smallint, ${row.maxMinutes}::integer, ${row.currency}::text,
        ${row.fromDay}::date, ${row.toDay}::date, ${row.typed}::text,
      to_tsquery('nearhand', ${row.words}::text), ${row.alert}, ${row.savedAt}::timestamptz, ${row.savedAt}::timestamptz
    where (select count(*) from saved_searches where account_id = ${row.accountId} and removed_at is null) < ${max}
    returning id`.execute(tx);
  if (rows.length === 0) return false;
  emitSearch(tx, row);
  return true;
}

async function replaceSquares(
  tx: Tx,
  searchId: string,
  { squares, category }: { squares: readonly string[]; category: string | null },
): Promise<void> {
  await tx.deleteFrom('saved_search_squares').where('searchId', '=', searchId).execute();
  if (squares.length === 0) return;
  await tx
    .insertInto('saved_search_squares')
    .values(squares.map((square) => ({ square, category: category ?? '', searchId })))
    .execute();
}

async function findSearches(db: Db, accountId: string): Promise<SearchRow[]> {
  const rows = await db
    .selectFrom('saved_searches')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .orderBy('savedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows as SearchRow[];
}

async function lockSearch(
  tx: Tx,
  accountId: string,
  searchId: string,
): Promise<(SearchRow & { removedAt: Date | null }) | undefined> {
  const row = await tx
    .selectFrom('saved_searches')
    .select([...columns, 'removedAt'])
    .where('id', '=', searchId)
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return row as (SearchRow & { removedAt: Date | null }) | undefined;
}

async function updateSearch(
  tx: Tx,
  row: Pick<SearchRow, 'id' | 'accountId'>,
  changes: { name?: string; alert?: SearchAlert; alertsSince?: Date; removedAt?: Date | null },
): Promise<void> {
  await tx.updateTable('saved_searches').set(changes).where('id', '=', row.id).execute();
  emitSearch(tx, row);
}

async function countSearches(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('saved_searches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

async function deleteRemoved(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from saved_searches where id in (
      select id from saved_searches where removed_at < ${before}::timestamptz order by removed_at limit ${limit})
    returning id`.execute(db);
  return rows.length;
}

export async function deleteSearchesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('job_alerts').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('saved_searches').where('accountId', '=', accountId).execute();
}

type SavedSearchRef = { savedSearchId: string };

const restorableMs = dayMs;
const removedAtOnce = 1_000;

const toSavedSearch = (row: SearchRow): SavedSearch => ({
  ...row,
  from: row.fromDay,
  to: row.toDay,
  q: row.typed,
  timeZone: zoneOf(row.lat, row.lng),
  savedAt: row.savedAt.toISOString(),
});

/** Only searches with alerts get squares, which bounds the reads of a new job. */
const squaresOf = (row: Pick<SearchRow, 'lat' | 'lng' | 'radiusKm' | 'category' | 'alert'>) => ({
  squares: row.alert === 'off' ? [] : circleAround(row, row.radiusKm).squares,
  category: row.category,
});

/**
 * Saves a search like `nearby.search` (ADR 151). `minPay` in minor units per hour, `minTotal` for the whole
 * job.
 */
export async function createSavedSearch(
  tx: Tx,
  scope: Scope,
  input: Omit<SavedSearch, 'id' | 'savedAt' | 'timeZone'>,
): Promise<SavedSearch> {
  const now = scope.clock.now();
  const row: SearchRow = {
    id: newId(now),
    accountId: scope.actor.accountId,
    name: input.name,
    place: input.place,
    lat: input.lat,
    lng: input.lng,
    radiusKm: input.radiusKm,
    category: input.category,
    kind: input.kind,
    minPay: input.minPay,
    minTotal: input.minTotal,
    weekdays: input.weekdays,
    startsFrom: input.startsFrom,
    endsBy: input.endsBy,
    maxMinutes: input.maxMinutes,
    currency: input.currency,
    fromDay: input.from,
    toDay: input.to,
    typed: input.q,
    alert: input.alert,
    savedAt: now,
  };
  const { pos, chord } = circleAround(input, input.radiusKm);
  const { query: words } = await searchWords(tx, input.q);
  if (!(await insertSearch(tx, { ...row, pos, chord, words }, hiringLimits.savedSearchesMax)))
    throw new AppError('saved-search/too-many', { limit: hiringLimits.savedSearchesMax });
  await replaceSquares(tx, row.id, squaresOf(row));
  return toSavedSearch(row);
}

/** Lists the caller's saved searches, last saved first. */
async function listSavedSearches(db: Db, scope: Scope): Promise<SavedSearch[]> {
  return (await findSearches(db, scope.actor.accountId)).map(toSavedSearch);
}

async function lockOwn(tx: Tx, scope: Scope, searchId: string) {
  const row = await lockSearch(tx, scope.actor.accountId, searchId);
  if (!row) throw new AppError('saved-search/not-found');
  return row;
}

/** Renames a search or changes its alert, which then starts with new jobs. For its owner. */
async function updateSavedSearch(
  tx: Tx,
  scope: Scope,
  { savedSearchId, name, alert }: SavedSearchRef & { name?: string; alert?: SearchAlert },
): Promise<SavedSearch> {
  const row = await lockOwn(tx, scope, savedSearchId);
  if (row.removedAt !== null) throw new AppError('saved-search/not-found');
  const next = { ...row, name: name ?? row.name, alert: alert ?? row.alert };
  if (next.name === row.name && next.alert === row.alert) return toSavedSearch(row);
  const isTurnedOn = row.alert === 'off' && next.alert !== 'off';
  await updateSearch(tx, row, {
    name: next.name,
    alert: next.alert,
    alertsSince: isTurnedOn ? scope.clock.now() : undefined,
  });
  if ((row.alert === 'off') !== (next.alert === 'off')) await replaceSquares(tx, row.id, squaresOf(next));
  return toSavedSearch(next);
}

/** Removes a search; restorable for a day. */
async function removeSavedSearch(
  tx: Tx,
  scope: Scope,
  { savedSearchId }: SavedSearchRef,
): Promise<SavedSearchRef> {
  const row = await lockOwn(tx, scope, savedSearchId);
  if (row.removedAt === null) {
    await updateSearch(tx, row, { removedAt: scope.clock.now() });
    await replaceSquares(tx, row.id, { squares: [], category: null });
  }
  return { savedSearchId };
}

/** Restores a removed search. For its owner. */
async function restoreSavedSearch(
  tx: Tx,
  scope: Scope,
  { savedSearchId }: SavedSearchRef,
): Promise<SavedSearch> {
  const row = await lockOwn(tx, scope, savedSearchId);
  if (row.removedAt === null) return toSavedSearch(row);
  if ((await countSearches(tx, row.accountId)) >= hiringLimits.savedSearchesMax)
    throw new AppError('saved-search/too-many', { limit: hiringLimits.savedSearchesMax });
  await updateSearch(tx, row, { removedAt: null });
  await replaceSquares(tx, row.id, squaresOf(row));
  return toSavedSearch(row);
}

/** Deletes searches whose time to be restored is over. */
export async function purgeRemovedSearches({ db, clock }: Pick<TaskScope, 'db' | 'clock'>): Promise<void> {
  const before = subtractMs(clock.now(), restorableMs);
  while ((await deleteRemoved(db, before, removedAtOnce)) === removedAtOnce);
}

export const savedSearchesTasks = [
  matchJobTask,
  dueAlertsTask,
  deleteAlertsTask,
  defineTask({
    name: 'saved-searches.forget-removed',
    payload: z.object({}),
    daily: true,
    run: purgeRemovedSearches,
  }),
];

export const savedSearchesRoutes = {
  create: write(savedSearches.create, createSavedSearch),
  list: read(savedSearches.list, listSavedSearches),
  update: write(savedSearches.update, updateSavedSearch),
  remove: write(savedSearches.remove, removeSavedSearch),
  restore: write(savedSearches.restore, restoreSavedSearch),
};
