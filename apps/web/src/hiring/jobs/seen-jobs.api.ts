import { createStore } from '../../lib/store.ts';

const seenIds = createStore<ReadonlySet<string>>(new Set());

/** Remembers viewed jobs while the app is open, to dim their pins on the map. */
export function markSeen(jobId: string): void {
  if (!seenIds.get().has(jobId)) seenIds.set(new Set([...seenIds.get(), jobId]));
}

export const useSeenJobs = seenIds.useValue;
