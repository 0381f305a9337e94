import { dayMs } from '@nearhand/contract/durations';
import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';
import { mostSavedSearches, type SearchAlert } from '@nearhand/contract/hiring/saved-searches.rules';
import type { Currency } from '@nearhand/contract/money';
import zoneOf from '@photostructure/tz-lookup';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { circleAround, wordsOf } from '../nearby/search-terms.service.ts';
import {
  countSearches,
  deleteRemoved,
  findSearches,
  insertSearch,
  lockSearch,
  replaceSquares,
  type SearchRow,
  updateSearch,
} from './saved-searches.sql.ts';

type One = { savedSearchId: string };

/** How long a removed search can be restored. */
const restorableMs = dayMs;
const removedAtOnce = 1_000;

const viewOf = (row: SearchRow): SavedSearch => ({
  id: row.id,
  name: row.name,
  place: row.place,
  lat: row.lat,
  lng: row.lng,
  radiusKm: row.radius_km,
  category: row.category,
  kind: row.kind,
  minPay: row.min_pay,
  currency: row.currency as Currency | null,
  from: row.from_day,
  to: row.to_day,
  q: row.typed,
  alert: row.alert,
  timeZone: zoneOf(row.lat, row.lng),
  savedAt: row.saved_at.toISOString(),
});

/** Squares are kept only for searches with alerts: a new job reads no others. */
const squaresOf = (row: Pick<SearchRow, 'lat' | 'lng' | 'radius_km' | 'category' | 'alert'>) => ({
  squares: row.alert === 'off' ? [] : circleAround(row, row.radius_km).squares,
  category: row.category,
});

/**
 * Saves a search with the meaning of `nearby.search`, without widening (ADR 151). `minPay` in minor units per hour; days in the job's zone.
 * An unverified account may: its alerts wait in the inbox, and mail follows once the address is verified.
 * @throws saved-search/too-many (data: `most`)
 */
export async function createSavedSearch(
  tx: Tx,
  scope: Scope,
  input: Omit<SavedSearch, 'id' | 'savedAt' | 'timeZone'>,
): Promise<SavedSearch> {
  const now = scope.clock.now();
  const row: SearchRow = {
    id: newId(now),
    account_id: scope.actor.accountId,
    name: input.name,
    place: input.place,
    lat: input.lat,
    lng: input.lng,
    radius_km: input.radiusKm,
    category: input.category,
    kind: input.kind,
    min_pay: input.minPay,
    currency: input.currency,
    from_day: input.from,
    to_day: input.to,
    typed: input.q,
    alert: input.alert,
    saved_at: now,
  };
  const { pos, chord } = circleAround(input, input.radiusKm);
  const { query: words } = await wordsOf(tx, input.q);
  if (!(await insertSearch(tx, { ...row, pos, chord, words }, mostSavedSearches)))
    throw new AppError('saved-search/too-many', { most: mostSavedSearches });
  await replaceSquares(tx, row.id, squaresOf(row));
  return viewOf(row);
}

/** The caller's saved searches, last saved first; at most `mostSavedSearches`. */
export async function listSavedSearches(db: Db, scope: Scope): Promise<SavedSearch[]> {
  return (await findSearches(db, scope.actor.accountId)).map(viewOf);
}

/** @throws saved-search/not-found */
async function lockOwn(tx: Tx, scope: Scope, searchId: string) {
  const row = await lockSearch(tx, scope.actor.accountId, searchId);
  if (!row) throw new AppError('saved-search/not-found');
  return row;
}

/**
 * Renames a search or changes its alert. Alerts that were off begin with jobs that open from now on.
 * @throws saved-search/not-found, also for a removed one
 */
export async function updateSavedSearch(
  tx: Tx,
  scope: Scope,
  { savedSearchId, name, alert }: One & { name?: string | undefined; alert?: SearchAlert | undefined },
): Promise<SavedSearch> {
  const row = await lockOwn(tx, scope, savedSearchId);
  if (row.removed_at !== null) throw new AppError('saved-search/not-found');
  const next = { ...row, name: name ?? row.name, alert: alert ?? row.alert };
  if (next.name === row.name && next.alert === row.alert) return viewOf(row);
  const begins = row.alert === 'off' && next.alert !== 'off';
  await updateSearch(tx, row, {
    name: next.name,
    alert: next.alert,
    ...(begins ? { alerts_since: scope.clock.now() } : {}),
  });
  if ((row.alert === 'off') !== (next.alert === 'off')) await replaceSquares(tx, row.id, squaresOf(next));
  return viewOf(next);
}

/** Removes a search; it can be restored for a day, with what it has found by then. A repeat is a no-op. @throws saved-search/not-found */
export async function removeSavedSearch(tx: Tx, scope: Scope, { savedSearchId }: One): Promise<One> {
  const row = await lockOwn(tx, scope, savedSearchId);
  if (row.removed_at === null) {
    await updateSearch(tx, row, { removed_at: scope.clock.now() });
    await replaceSquares(tx, row.id, { squares: [], category: null });
  }
  return { savedSearchId };
}

/** Undoes a removal. A no-op where it is not removed. @throws saved-search/not-found, saved-search/too-many (data: `most`) */
export async function restoreSavedSearch(tx: Tx, scope: Scope, { savedSearchId }: One): Promise<SavedSearch> {
  const row = await lockOwn(tx, scope, savedSearchId);
  if (row.removed_at === null) return viewOf(row);
  if ((await countSearches(tx, row.account_id)) >= mostSavedSearches)
    throw new AppError('saved-search/too-many', { most: mostSavedSearches });
  await updateSearch(tx, row, { removed_at: null });
  await replaceSquares(tx, row.id, squaresOf(row));
  return viewOf(row);
}

/** For the daily task: deletes searches whose removal can no longer be undone. */
export async function forgetRemovedSearches({ db, clock }: Pick<TaskScope, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - restorableMs);
  while ((await deleteRemoved(db, before, removedAtOnce)) === removedAtOnce);
}

/** For an account that is removed (ADR 160). */
export { deleteSearchesOf } from './saved-searches.sql.ts';
