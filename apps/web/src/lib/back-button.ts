import { useEffect, useRef } from 'react';

/** The close functions of everything open over the page, the top one last. */
const layers: { current: () => void }[] = [];

/** Closes the top layer over the page. Returns false if there is none. */
export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.current();
  return top !== undefined;
}

/** While `open`, the device's back button calls `close` instead of leaving the page. */
export function useBackButton(open: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    layers.push(latest);
    return () => void layers.splice(layers.indexOf(latest), 1);
  }, [open]);
}
