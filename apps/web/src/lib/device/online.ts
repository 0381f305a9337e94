import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener('online', listener);
  globalThis.addEventListener('offline', listener);
  return () => {
    globalThis.removeEventListener('online', listener);
    globalThis.removeEventListener('offline', listener);
  };
}

/** Whether the device believes it is online now, for code outside rendering. */
export const isOnline = (): boolean => navigator.onLine !== false;

/** Whether the device believes it is online. Combine with `query.dataUpdatedAt` to show the data's age. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, isOnline, () => true);
}
