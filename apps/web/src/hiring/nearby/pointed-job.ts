import { useSyncExternalStore } from 'react';

let pointed: string | null = null;
const listeners = new Set<() => void>();

/** Sets the job with the pointer or the focus. A store, so that only the map renders again, not the list. */
export function pointAt(jobId: string | null): void {
  if (pointed === jobId) return;
  pointed = jobId;
  for (const listener of listeners) listener();
}

export const usePointedJob = (): string | null => useSyncExternalStore(subscribe, () => pointed);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
