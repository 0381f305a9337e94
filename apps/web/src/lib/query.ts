import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { QueryClient } from '@tanstack/react-query';
import type { Persister, PersistQueryClientOptions } from '@tanstack/react-query-persist-client';
import { del, get, set } from 'idb-keyval';
import { isApiError, isNetworkError } from './api-error.ts';
import { deviceShelf } from './device-shelf.ts';
import { session } from './session.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Lists and records stay readable without a network for a week; what a merchant or a stranger may see is asked again when there is one. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      staleTime: minute,
      gcTime: 7 * day,
      // Only what may pass by itself is tried again; a refusal stays one.
      retry: (failures, error) =>
        failures < 2 && (isNetworkError(error) || isApiError(error, 'request/unavailable')),
    },
    mutations: { networkMode: 'offlineFirst', retry: false },
  },
});

/**
 * What is put here is the answer of a write (or what a press will have made of it). A read that began before it does not know of it yet, and would bring the
 * old state back on screen until the next one: it is begun again (ADR 0062).
 */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return;
  if (event.query.state.fetchStatus === 'idle') return;
  event.query.fetch(undefined, { cancelRefetch: true }).catch(() => undefined);
});

const store = createAsyncStoragePersister({
  key: 'nearhand-queries',
  storage: { getItem: (key) => get<string>(key), setItem: set, removeItem: del },
  throttleTime: 2_000,
});
const ownerNow = () => session.user()?.id ?? 'guest';

/** What is kept carries whose it is: a write that was still waiting at sign-out must never be read by the next person on this device. */
const persister: Persister = {
  persistClient: (client) => store.persistClient({ ...client, buster: `${client.buster} ${ownerNow()}` }),
  restoreClient: async () => {
    const kept = await store.restoreClient();
    const mark = ` ${ownerNow()}`;
    if (!kept?.buster.endsWith(mark)) return undefined;
    return { ...kept, buster: kept.buster.slice(0, -mark.length) };
  },
  removeClient: () => store.removeClient(),
};

// Another person on this device, or nobody any more: nothing that was loaded for the last one is theirs. What is on screen is asked again.
let owner = ownerNow();
session.subscribe(() => {
  if (ownerNow() === owner) return;
  owner = ownerNow();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries({ type: 'active' });
});

/** A query that must not stay on the device says so (`query-options.ts`). */
export const persistence: Omit<PersistQueryClientOptions, 'queryClient'> = {
  persister,
  maxAge: 7 * day,
  buster: '1',
  dehydrateOptions: {
    shouldDehydrateQuery: (query) => query.state.status === 'success' && query.meta?.keep !== false,
  },
};

/** After sign-out nothing of that person may stay on the device. */
export async function forgetEverything(): Promise<void> {
  queryClient.clear();
  await persister.removeClient();
  // No database, nothing kept.
  await deviceShelf.clear().catch(() => {});
}
