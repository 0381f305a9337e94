/** Lazy parts (ADR 103). If one fails because a new version removed its file, the page reloads once. */

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { savesData } from '../device/platform.ts';

/** The app's own script, whose name contains its hash. It is the page's last. */
export const appScript = (): string | null =>
  [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src') ?? null;

const reloadedKey = 'nearhand.reloaded';
/** Servers with two versions behind one address must not cause a reload loop. */
const againMs = 60_000;

/** `React.lazy` for this app: nothing else creates lazy components (`load-part.test.tsx`). */
// biome-ignore lint/suspicious/noExplicitAny: the same bound as in React's types
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> {
  return lazy(() =>
    load().catch(async (failure: unknown) => {
      // Parts stay suspended while the page reloads, so no error flashes.
      if (await reloadForNewVersion()) return new Promise<{ default: Part }>(() => {});
      throw failure;
    }),
  );
}

export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: idleMs });
    else setTimeout(resolve, idleMs);
  });
const idleMs = 2_000;

/** Preloads a part when the browser is idle, unless the connection saves data. */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  if (savesData()) return;
  void whenIdle()
    .then(load)
    .catch(() => {});
}

/** Preloads a part at the first interaction with the page. Returns a function that stops waiting. */
export function loadWhenUsed(load: () => Promise<unknown>): () => void {
  const page = new AbortController();
  const begin = () => {
    page.abort();
    if (!savesData()) load().catch(() => {});
  };
  for (const type of ['pointerdown', 'keydown'])
    document.addEventListener(type, begin, { capture: true, passive: true, signal: page.signal });
  return () => page.abort();
}

/** Reloads the page if the server has a newer version than the running one, unless a reload was just tried. */
async function reloadForNewVersion(): Promise<boolean> {
  if (justReloaded() || !(await isOutdated())) return false;
  try {
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // Without storage, reloads could repeat forever.
    return false;
  }
  page.reload();
  return true;
}

export const page = { reload: () => globalThis.location.reload() };

function justReloaded(): boolean {
  try {
    return Math.abs(Date.now() - Number(sessionStorage.getItem(reloadedKey))) < againMs;
  } catch {
    return true;
  }
}

async function isOutdated(): Promise<boolean> {
  const appSource = appScript();
  if (!appSource) return false;
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
    const text = await response.text();
    return response.ok && text.includes('type="module"') && !text.includes(`"${appSource}"`);
  } catch {
    return false;
  }
}
