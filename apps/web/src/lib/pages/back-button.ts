import { useLayoutEffect, useRef } from 'react';
import { historyIndex } from './go-back.ts';

type Layer = {
  current: () => void;
  /** The layer has a history entry of its own, so the browser's Back closes it without help. */
  inHistory: boolean;
};

const layers: Layer[] = [];
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of [...listeners]) listener();
};

export const hasLayers = (): boolean => layers.length > 0;

/** Calls `listener` when a layer opens or closes. Returns a function that stops it. */
export function onLayers(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Closes the top layer over the page. Returns false if there is none. */
export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.current();
  return top !== undefined;
}

/** While `open`, the device's and the browser's Back call `close` instead of leaving the page. */
export function useBackButton(open: boolean, close: () => void, { inHistory = false } = {}): void {
  const latest = useRef(close);
  latest.current = close;
  // A layout effect: what can be seen can be closed, also by someone who is faster than the browser's next turn.
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

/**
 * Makes the browser's Back and Forward close the top layer and stay on the page: the step in the history is undone before the router
 * notices it, so this must listen first. `index` returns the history index of the page on screen. Returns a function that stops it.
 */
export function closeLayersOnBrowserBack(index: () => number | undefined): () => void {
  let returningTo: number | undefined;
  const intercept = (event: PopStateEvent) => {
    const there = historyIndex();
    const here = returningTo ?? index();
    if (returningTo === undefined && (layers.at(-1)?.inHistory ?? true)) return;
    // An entry that the router did not write: the step cannot be undone, so nothing may stay open.
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
