import { useSyncExternalStore } from 'react';

/** 992 px at the browser's default text size: from here on there are two columns and a pinned side menu. */
const wideQuery = '(min-width: 62em)';

function query(): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia(wideQuery) : null;
}

export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = query();
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    () => query()?.matches ?? false,
    () => false,
  );
}
