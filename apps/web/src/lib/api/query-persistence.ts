import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import type { QueryClient } from '@tanstack/react-query';
import {
  type Persister,
  type PersistQueryClientOptions,
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client';
import { del, get, set } from 'idb-keyval';
import { currentOwner, keepsForMs, markPersisted } from './query-owner.ts';

/** Loaded after the first paint: a first visit has nothing to restore. */
const store = createAsyncStoragePersister({
  key: 'nearhand-queries',
  storage: { getItem: (key) => get<string>(key), setItem: set, removeItem: del },
  throttleTime: 2_000,
});

/** The stored data names its owner: a write still pending at sign-out must never be read by the next person on this device. */
export const persister: Persister = {
  persistClient: (client) => {
    markPersisted(true);
    return store.persistClient({ ...client, buster: `${client.buster} ${currentOwner()}` });
  },
  restoreClient: async () => {
    const stored = await store.restoreClient();
    const suffix = ` ${currentOwner()}`;
    if (!stored?.buster.endsWith(suffix)) return undefined;
    return { ...stored, buster: stored.buster.slice(0, -suffix.length) };
  },
  removeClient: () => {
    markPersisted(false);
    return store.removeClient();
  },
};

const options = (queryClient: QueryClient): PersistQueryClientOptions => ({
  queryClient,
  persister,
  maxAge: keepsForMs,
  buster: '2',
  dehydrateOptions: {
    // Queries that must not stay on the device opt out (`query-options.ts`).
    shouldDehydrateQuery: (query) => query.state.status === 'success' && query.meta?.keep !== false,
  },
});

/** Puts the stored queries into the cache. */
export const restoreQueries = (client: QueryClient): Promise<void> =>
  persistQueryClientRestore(options(client));

/** Stores queries as they change, until the returned function is called. */
export const storeQueries = (client: QueryClient): (() => void) =>
  persistQueryClientSubscribe(options(client));
