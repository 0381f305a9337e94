import { QueryClient } from '@tanstack/react-query';
import { isApiError, isNetworkError } from './api-error.ts';
import { currentOwner, keepsForMs } from './query-owner.ts';
import { session } from './session.ts';

const minute = 60_000;

/** Lists and records stay readable without a network for a week; what a merchant or a stranger may see is asked again when there is one. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'offlineFirst',
      staleTime: minute,
      gcTime: keepsForMs,
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

// Another person on this device, or nobody any more: nothing that was loaded for the last one is theirs. What is on screen is asked again.
let owner = currentOwner();
session.subscribe(() => {
  if (currentOwner() === owner) return;
  owner = currentOwner();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries({ type: 'active' });
});

/** After sign-out nothing of that person may stay on the device. */
export async function forgetEverything(): Promise<void> {
  queryClient.clear();
  const [{ persister }, { deviceShelf }] = await Promise.all([
    import('./query-persistence.ts'),
    import('./device-shelf.ts'),
  ]);
  await persister.removeClient();
  // No database, nothing kept.
  await deviceShelf.clear().catch(() => {});
}
