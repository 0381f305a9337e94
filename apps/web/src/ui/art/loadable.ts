import { useEffect, useState } from 'react';
import { onBackOnline } from '../../lib/device/online.ts';

type Loadable = { url: string | null; onError: () => void };

/** A picture, or null once it failed to load. Retried with another URL, and when the network is back. */
export function useLoadable(src: string | null | undefined): Loadable {
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    if (failed === null) return;
    return onBackOnline(() => setFailed(null));
  }, [failed]);
  return { url: src && src !== failed ? src : null, onError: () => setFailed(src ?? null) };
}
