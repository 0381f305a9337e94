import type { SearchAlert } from '@nearhand/contract/hiring/saved-searches.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { JobKind } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

export type SearchRow = {
  id: string;
  account_id: string;
  name: string;
  place: string;
  lat: number;
  lng: number;
  radius_km: number;
  category: CategoryId | null;
  kind: JobKind | null;
  min_pay: number | null;
  currency: string | null;
  from_day: string | null;
  to_day: string | null;
  typed: string | null;
  alert: SearchAlert;
  saved_at: Date;
};

/** A search to write. `pos` and `chord` as nearby search has them, `words` a full-text query (`nearby.rules.ts`). */
export type NewSearch = SearchRow & {
  pos: readonly [number, number, number];
  chord: number;
  words: string | null;
};

const columns = [
  'id',
  'account_id',
  'name',
  'place',
  'lat',
  'lng',
  'radius_km',
  'category',
  'kind',
  'min_pay',
  'currency',
  'from_day',
  'to_day',
  'typed',
  'alert',
  'saved_at',
] as const;

const emitSearch = (tx: Tx, row: Pick<SearchRow, 'id' | 'account_id'>) =>
  emitRecord(tx, 'saved-search', { id: row.id, workerId: row.account_id });

/** Writes a search unless the account has `most`. Answers whether it did. */
export async function insertSearch(tx: Tx, row: NewSearch, most: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into saved_searches (id, account_id, name, place, lat, lng, radius_km, pos, chord, category, kind, min_pay, currency,
      from_day, to_day, typed, words, alert, alerts_since, saved_at)
    select ${row.id}::uuid, ${row.account_id}::uuid, ${row.name}, ${row.place}, ${row.lat}::float8, ${row.lng}::float8,
      ${row.radius_km}::float8, ${`(${row.pos.join(',')})`}::cube, ${row.chord}::float8, ${row.category}::text, ${row.kind}::text,
      ${row.min_pay}::integer, ${row.currency}::text, ${row.from_day}::date, ${row.to_day}::date, ${row.typed}::text,
      to_tsquery('nearhand', ${row.words}::text), ${row.alert}, ${row.saved_at}::timestamptz, ${row.saved_at}::timestamptz
    where (select count(*) from saved_searches where account_id = ${row.account_id} and removed_at is null) < ${most}
    returning id`.execute(tx);
  if (rows.length === 0) return false;
  emitSearch(tx, row);
  return true;
}

/** The squares in which a search is found, instead of those before. */
export async function replaceSquares(
  tx: Tx,
  searchId: string,
  { squares, category }: { squares: readonly string[]; category: string | null },
): Promise<void> {
  await tx.deleteFrom('saved_search_squares').where('search_id', '=', searchId).execute();
  if (squares.length === 0) return;
  await tx
    .insertInto('saved_search_squares')
    .values(squares.map((square) => ({ square, category: category ?? '', search_id: searchId })))
    .execute();
}

/** Searches of an account that are not removed, last saved first. */
export async function findSearches(db: Db, accountId: string): Promise<SearchRow[]> {
  const rows = await db
    .selectFrom('saved_searches')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy('saved_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows as SearchRow[];
}

/** Locks a search of an account, a removed one too. */
export async function lockSearch(
  tx: Tx,
  accountId: string,
  searchId: string,
): Promise<(SearchRow & { removed_at: Date | null }) | undefined> {
  const row = await tx
    .selectFrom('saved_searches')
    .select([...columns, 'removed_at'])
    .where('id', '=', searchId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return row as (SearchRow & { removed_at: Date | null }) | undefined;
}

/** Writes what changed in a locked search. `alertsSince`: jobs that opened before are not new to it. */
export async function updateSearch(
  tx: Tx,
  row: Pick<SearchRow, 'id' | 'account_id'>,
  changes: { name?: string; alert?: SearchAlert; alerts_since?: Date; removed_at?: Date | null },
): Promise<void> {
  await tx.updateTable('saved_searches').set(changes).where('id', '=', row.id).execute();
  emitSearch(tx, row);
}

export async function countSearches(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('saved_searches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes some searches that were removed before a time; answers how many. */
export async function deleteRemoved(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from saved_searches where id in (
      select id from saved_searches where removed_at < ${before}::timestamptz order by removed_at limit ${limit})
    returning id`.execute(db);
  return rows.length;
}

/** For an account that is removed: its searches, and alerts that wait. */
export async function deleteSearchesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('job_alerts').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('saved_searches').where('account_id', '=', accountId).execute();
}
