import { onlineManager, type Query, QueryClient } from '@tanstack/react-query';
import { isOnline, watchOnline } from '../device/online.ts';
import { session } from '../session.ts';
import { isApiError, isNetworkError, isTimeout } from './api-error.ts';
import { currentOwner, keepsForMs, persisted } from './query-owner.ts';

const minute = 60_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      staleTime: minute,
      gcTime: keepsForMs,
      // Only temporary failures are retried. Timeouts and known offline states are reported at once.
      retry: (failures, error) =>
        failures < 2 &&
        !isTimeout(error) &&
        !isApiError(error, 'network/offline') &&
        (isNetworkError(error) || isApiError(error, 'request/unavailable')),
    },
    mutations: { networkMode: 'offlineFirst', retry: false },
  },
});

// The library assumes that every start is online, and would not refetch once the network is back.
onlineManager.setOnline(isOnline());
onlineManager.setEventListener((setOnline) => watchOnline(() => setOnline(isOnline())));

/** `setQueryData` restarts a read in flight, which would bring the old state back (ADR 49). */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return;
  if (event.query.state.fetchStatus === 'idle') return;
  event.query.fetch(undefined, { cancelRefetch: true }).catch(() => undefined);
});

/** Queries invalidated during their first read, whose response may be older than the change. */
const outdated = new WeakSet<Query>();

// The library restarts a read in flight only if it has data already, so a first read would count as fresh.
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

// The account changed: clears the previous account's data and refetches what is on screen.
let owner = currentOwner();
session.subscribe(() => {
  if (currentOwner() === owner) return;
  owner = currentOwner();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries({ type: 'active' });
  // A session that ended elsewhere, as for a lost device, also clears messages stored for reading (ADR 272).
  if (session.user() === null) dropRead().catch(() => {});
});

async function dropRead(): Promise<void> {
  const { deviceStore } = await import('../device/indexed-db-store.ts');
  await deviceStore.clearRead();
}

/** Removes every cached and stored response, as when someone signs out. */
export async function clearCache(): Promise<void> {
  queryClient.clear();
  const [{ persister }, { deviceStore }] = await Promise.all([
    import('./query-persistence.ts'),
    import('../device/indexed-db-store.ts'),
  ]);
  await persister.removeClient();
  await deviceStore.clear().catch(() => {});
}

/** Stores the queries before a queue forgets a sent entry, or a closed page would offer it again. Never rejects. */
export async function storeQueriesNow(): Promise<void> {
  if (!persisted.get()) return;
  try {
    const { saveQueries } = await import('./query-persistence.ts');
    await saveQueries(queryClient);
  } catch (failure) {
    console.warn('Queries are not stored on this device', failure);
  }
}
