import { dayMs } from '@nearhand/contract/durations';
import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import type { Query, QueryClient, QueryState } from '@tanstack/react-query';
import {
  type PersistedClient,
  type Persister,
  type PersistQueryClientOptions,
  persistQueryClientRestore,
  persistQueryClientSave,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client';
import { del, get, set } from 'idb-keyval';
import { currentOwner, keepsForMs, persisted } from './query-owner.ts';

const storeKey = 'nearhand-queries';
const store = createAsyncStoragePersister({
  key: storeKey,
  storage: { getItem: (key) => get<string>(key), setItem: set, removeItem: del },
  throttleTime: 2_000,
});

/** Keeps the last good data of a failed query, so that the next offline start has something to show. */
const lastGood = (state: QueryState): QueryState =>
  state.status === 'success'
    ? state
    : {
        ...state,
        status: 'success',
        error: null,
        errorUpdatedAt: 0,
        isInvalidated: true,
        fetchStatus: 'idle',
        fetchFailureCount: 0,
        fetchFailureReason: null,
      };

/** The stored data names its owner: a late write must never be read by the next person on this device. */
function asStored(client: PersistedClient): PersistedClient {
  const queries = client.clientState.queries.map((query) => ({ ...query, state: lastGood(query.state) }));
  const buster = `${client.buster} ${currentOwner()}`;
  return { ...client, buster, clientState: { ...client.clientState, queries } };
}

export const persister: Persister = {
  persistClient: (client) => {
    persisted.set(true);
    return store.persistClient(asStored(client));
  },
  restoreClient: async () => {
    const client = await store.restoreClient();
    const suffix = ` ${currentOwner()}`;
    if (!client?.buster.endsWith(suffix)) return undefined;
    return { ...client, buster: client.buster.slice(0, -suffix.length) };
  },
  removeClient: () => {
    persisted.set(false);
    return store.removeClient();
  },
};

const options = (queryClient: QueryClient): PersistQueryClientOptions => ({
  queryClient,
  persister,
  maxAge: keepsForMs,
  buster: '4',
  dehydrateOptions: {
    shouldDehydrateQuery: (query) =>
      query.state.data !== undefined && query.meta?.keep !== false && !isOverADay(query),
  },
});

/** Restores stored responses, without those that may be stored for a day only and are older. */
export async function restoreQueries(client: QueryClient): Promise<void> {
  await persistQueryClientRestore(options(client));
  client.removeQueries({ predicate: isOverADay });
}

const isOverADay = ({ meta, state }: Pick<Query, 'meta' | 'state'>): boolean =>
  meta?.keep === 'day' && state.dataUpdatedAt < Date.now() - dayMs;

/** Stores responses as they change. Returns the function that stops it. */
export const storeQueries = (client: QueryClient): (() => void) =>
  persistQueryClientSubscribe(options(client));

export const saveQueries = (client: QueryClient): Promise<void> =>
  persistQueryClientSave({
    ...options(client),
    persister: {
      ...persister,
      persistClient: (state) => set(storeKey, JSON.stringify(asStored(state))),
    },
  });
