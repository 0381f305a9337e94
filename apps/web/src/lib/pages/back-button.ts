import { useLayoutEffect, useRef } from 'react';
import { createListeners } from '../store.ts';
import { historyIndex } from './go-back.ts';

type Layer = {
  current: () => void;
  /** The layer has its own history entry, so the browser's own Back closes it. */
  inHistory: boolean;
};

const layers: Layer[] = [];
const { notify, subscribe } = createListeners();

export const hasLayers = (): boolean => layers.length > 0;

export const onLayers = subscribe;

export function closeTopLayer(): boolean {
  const top = layers.at(-1);
  top?.current();
  return top !== undefined;
}

/** The number of `guardFirstPage` entries below the current one; 0 on a page's own entry. */
function guardDepth(): number {
  const depth: unknown = (globalThis.history.state as { guard?: unknown } | null)?.guard;
  return typeof depth === 'number' ? depth : 0;
}

let lastDepth = 0;

/**
 * The first page of a tab has no entry before it, so Back would leave the app with a layer still open. Gives
 * each layer there a separate entry at the same address, which the router counts as the page's.
 */
function guardFirstPage(): void {
  if (historyIndex() !== 0) return;
  const depth = layers.filter(({ inHistory }) => !inHistory).length;
  for (let next = guardDepth() + 1; next <= depth; next += 1)
    globalThis.history.pushState({ ...globalThis.history.state, guard: next }, '');
  lastDepth = guardDepth();
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
    if (!inHistory) guardFirstPage();
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
    const depths = { before: lastDepth, now: guardDepth() };
    lastDepth = depths.now;
    if (layers.length === 0 && there === 0 && here === 0 && depths.now !== depths.before) {
      // The layers of these entries are closed, so Back leaves.
      event.stopImmediatePropagation();
      if (depths.now < depths.before) globalThis.history.go(-depths.now - 1);
      return;
    }
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
