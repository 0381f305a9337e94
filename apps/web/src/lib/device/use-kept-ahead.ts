import { useEffect } from 'react';
import { savesData } from './saves-data.ts';

/** The app is in use by then: someone who only looks something up costs nothing more. */
const inUseMs = 10_000;

/**
 * Fetches what may be needed without a network, once the app is in use: at the start, and when it is opened again. `fetch` may be called often; a failure waits
 * for the next time.
 */
export function useKeptAhead(enabled: boolean, fetch: () => Promise<void>): void {
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      clearTimeout(timer);
      if (document.hidden || savesData()) return;
      timer = setTimeout(() => fetch().catch(() => {}), inUseMs);
    };
    keep();
    document.addEventListener('visibilitychange', keep);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', keep);
    };
  }, [enabled, fetch]);
}
