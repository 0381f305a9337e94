import { onlineManager, type Query, QueryClient } from '@tanstack/react-query';
import { isOnline, watchOnline } from '../device/online.ts';
import { session } from '../session.ts';
import { isApiError, isNetworkError, isTimeout } from './api-error.ts';
import { currentOwner, keepsForMs, wasPersisted } from './query-owner.ts';

const minute = 60_000;

/** Lists and records stay readable offline for a week; what a merchant or stranger may see is refetched when online. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      staleTime: minute,
      gcTime: keepsForMs,
      // Only temporary failures are retried; a refusal stays, and who waited long enough is told. A device that knows it is offline says so at once.
      retry: (failures, error) =>
        failures < 2 &&
        !isTimeout(error) &&
        !isApiError(error, 'network/offline') &&
        (isNetworkError(error) || isApiError(error, 'request/unavailable')),
    },
    mutations: { networkMode: 'offlineFirst', retry: false },
  },
});

// The library takes every start for online: one without a network would refetch nothing once the network is back.
onlineManager.setOnline(isOnline());
onlineManager.setEventListener((setOnline) => watchOnline(() => setOnline(isOnline())));

/**
 * `setQueryData` is used for a write's result (or its optimistic update). A read in flight that started before it would bring the old
 * state back, so it is restarted (ADR 62).
 */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return;
  if (event.query.state.fetchStatus === 'idle') return;
  event.query.fetch(undefined, { cancelRefetch: true }).catch(() => undefined);
});

/** Invalidated during their first read, whose answer may be older than the change. */
const outdated = new WeakSet<Query>();

// The library restarts a read in flight only if there is data already: the first one would be taken for fresh.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return;
  const { query, action } = event;
  if (
    action.type === 'invalidate' &&
    query.state.fetchStatus === 'fetching' &&
    query.state.data === undefined
  )
    outdated.add(query);
  if (action.type === 'error') outdated.delete(query);
  if (action.type !== 'success' || !outdated.delete(query)) return;
  if (query.isActive()) query.fetch().catch(() => undefined);
  else query.invalidate();
});

// Another person on this device, or nobody: what was loaded for the last one is removed. What is on screen is refetched.
let owner = currentOwner();
session.subscribe(() => {
  if (currentOwner() === owner) return;
  owner = currentOwner();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries({ type: 'active' });
  // Ended elsewhere, as for a lost device: what it kept for reading goes too (ADR 272).
  // No database, nothing stored.
  if (session.user() === null) forgetRead().catch(() => {});
});

async function forgetRead(): Promise<void> {
  const { deviceShelf } = await import('../device/indexed-db-store.ts');
  await deviceShelf.clearRead();
}

/** After sign-out nothing of that person may stay on the device. */
export async function forgetEverything(): Promise<void> {
  queryClient.clear();
  const [{ persister }, { deviceShelf }] = await Promise.all([
    import('./query-persistence.ts'),
    import('../device/indexed-db-store.ts'),
  ]);
  await persister.removeClient();
  // No database, nothing stored.
  await deviceShelf.clear().catch(() => {});
}

/**
 * Stores what the queries hold. For a queue, before it forgets what was sent: a page that ended in between would start again with the state before it, and offer
 * the same once more. Never rejects.
 */
export async function storeQueriesNow(): Promise<void> {
  if (!wasPersisted()) return;
  try {
    const { saveQueries } = await import('./query-persistence.ts');
    await saveQueries(queryClient);
  } catch (failure) {
    console.warn('Queries are not stored on this device', failure);
  }
}
