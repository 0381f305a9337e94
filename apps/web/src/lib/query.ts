import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { QueryClient } from '@tanstack/react-query';
import type { PersistQueryClientOptions } from '@tanstack/react-query-persist-client';
import { del, get, set } from 'idb-keyval';
import { isApiError, isNetworkError } from './api-error.ts';

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

const persister = createAsyncStoragePersister({
  key: 'nearhand-queries',
  storage: { getItem: (key) => get<string>(key), setItem: set, removeItem: del },
  throttleTime: 2_000,
});

/** Set `meta: { keep: false }` on a query that must not stay on the device. */
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
}
