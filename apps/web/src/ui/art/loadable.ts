import { useEffect, useState } from 'react';
import { onBackOnline } from '../../lib/device/online.ts';

type Loadable = { url: string | null; onError: () => void };

/** A picture that can be shown: null once it failed to load. It gets another try at another address, and when the network is back. */
export function useLoadable(src: string | null | undefined): Loadable {
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    if (failed === null) return;
    return onBackOnline(() => setFailed(null));
  }, [failed]);
  return { url: src && src !== failed ? src : null, onError: () => setFailed(src ?? null) };
}
