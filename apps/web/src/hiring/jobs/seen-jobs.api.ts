import { useSyncExternalStore } from 'react';

let seen: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Remembers, while the app is open, that a job was viewed: its pin on the map is dimmed. */
export function markSeen(jobId: string): void {
  if (seen.has(jobId)) return;
  seen = new Set([...seen, jobId]);
  for (const listener of [...listeners]) listener();
}

export const useSeenJobs = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => seen,
  );
