import type { Job } from '@nearhand/contract/hiring/jobs';
import { useEffect } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { loadWhenIdle } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';
import { createStore } from '../../lib/store.ts';

const isLoaded = createStore(false);

async function load(): Promise<void> {
  await Promise.all([import('./job-apply-form.screen.tsx'), import('./job-applied-success.screen.tsx')]);
  isLoaded.set(true);
}

/** A preloaded form can be sent later, a booking can't. */
export function useCanApply(job: Job | undefined, books: boolean): boolean {
  const online = useOnline();
  const user = useUser();
  const loaded = isLoaded.useValue();
  const mayQueue = user?.emailVerified === true && !books && job?.actions.includes('apply') === true;
  // Retries at the next change, since the load may have failed offline.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (mayQueue && !isLoaded.get()) loadWhenIdle(load);
  }, [mayQueue, online]);
  return online || (mayQueue && loaded);
}
