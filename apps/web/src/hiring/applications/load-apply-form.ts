import type { Job } from '@nearhand/contract/hiring/jobs';
import { useEffect, useSyncExternalStore } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { loadWhenIdle } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';

let isLoaded = false;
const listeners = new Set<() => void>();

/** The form's code, and that of the screen after it. */
async function load(): Promise<void> {
  await Promise.all([import('./job-apply-form.screen.tsx'), import('./job-applied-success.screen.tsx')]);
  isLoaded = true;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether someone can apply for a job now: online, or by a form that is on this device and sends later. Loads the form ahead of its first use, for those who may
 * apply. A booking is never sent later.
 */
export function useCanApply(job: Job | undefined, books: boolean): boolean {
  const online = useOnline();
  const user = useUser();
  const loaded = useSyncExternalStore(
    subscribe,
    () => isLoaded,
    () => false,
  );
  const mayQueue = user?.emailVerified === true && !books && job?.actions.includes('apply') === true;
  // Tried again at the next change: a network that is gone can be why it did not load.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (mayQueue && !isLoaded) loadWhenIdle(load);
  }, [mayQueue, online]);
  return online || (mayQueue && loaded);
}
