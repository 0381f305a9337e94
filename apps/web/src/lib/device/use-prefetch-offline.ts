import { useEffect } from 'react';
import { savesData } from './platform.ts';

const inUseMs = 10_000;

/** Fetches offline data ten seconds after the app starts or is reopened. A failed fetch is repeated the next time. */
export function usePrefetchOffline(enabled: boolean, fetch: () => Promise<void>): void {
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const prefetch = () => {
      clearTimeout(timer);
      if (document.hidden || savesData()) return;
      timer = setTimeout(() => fetch().catch(() => {}), inUseMs);
    };
    prefetch();
    document.addEventListener('visibilitychange', prefetch);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', prefetch);
    };
  }, [enabled, fetch]);
}
