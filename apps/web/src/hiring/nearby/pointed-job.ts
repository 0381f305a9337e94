import { useSyncExternalStore } from 'react';

let pointed: string | null = null;
const listeners = new Set<() => void>();

/** Sets which job of the list has the pointer or the focus. A store rather than state: only the map renders again, not the list. */
export function pointAt(jobId: string | null): void {
  if (pointed === jobId) return;
  pointed = jobId;
  for (const listener of listeners) listener();
}

/** The job of the list that has the pointer or the focus, for the map to show; null for none. */
export const usePointedJob = (): string | null => useSyncExternalStore(subscribe, () => pointed);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
