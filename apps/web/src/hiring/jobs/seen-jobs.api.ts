import { useSyncExternalStore } from 'react';

let seenIds: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Remembers, while the app is open, that a job was viewed: its pin on the map is dimmed. */
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
