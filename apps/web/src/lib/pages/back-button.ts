import { useLayoutEffect, useRef } from 'react';
import { historyIndex } from './go-back.ts';

type Layer = {
  current: () => void;
  /** The layer has its own history entry, so the browser's own Back closes it. */
  inHistory: boolean;
};

const layers: Layer[] = [];
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of [...listeners]) listener();
};

export const hasLayers = (): boolean => layers.length > 0;

export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.current();
  return top !== undefined;
}

/** While `open`, the device's and the browser's Back call `close` instead of leaving the page. */
export function useBackButton(open: boolean, close: () => void, { inHistory = false } = {}): void {
  const latest = useRef(close);
  latest.current = close;
  // A layout effect, so that a layer can be closed as soon as it is visible.
  useLayoutEffect(() => {
    if (!open) return;
    const layer: Layer = { current: () => latest.current(), inHistory };
    layers.push(layer);
    notify();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      notify();
    };
  }, [open, inHistory]);
}

/** Makes the browser's Back close the top layer and stay. It must listen before the router does. */
export function closeLayersOnBrowserBack(index: () => number | undefined): () => void {
  let returningTo: number | undefined;
  const intercept = (event: PopStateEvent) => {
    const there = historyIndex();
    const here = returningTo ?? index();
    if (returningTo === undefined && (layers.at(-1)?.inHistory ?? true)) return;
    // The router did not write this entry, so the navigation cannot be undone and every layer closes.
    if (there === undefined || here === undefined) {
      returningTo = undefined;
      return closeAllLayers();
    }
    event.stopImmediatePropagation();
    if (there === here) {
      returningTo = undefined;
      closeTopLayer();
    } else {
      returningTo = here;
      globalThis.history.go(here - there);
    }
  };
  globalThis.addEventListener('popstate', intercept);
  return () => globalThis.removeEventListener('popstate', intercept);
}

function closeAllLayers(): void {
  for (const layer of [...layers].reverse()) layer.current();
}
