import { useSyncExternalStore } from 'react';

let seenIds: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Remembers viewed jobs while the app is open, to dim their pins on the map. */
export function markSeen(jobId: string): void {
  if (seenIds.has(jobId)) return;
  seenIds = new Set([...seenIds, jobId]);
  for (const listener of [...listeners]) listener();
}

export const useSeenJobs = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => seenIds,
  );
