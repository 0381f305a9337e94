import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * Parts of the app that are loaded when they are first shown (ADR 0120). A new version takes the files of the old one away, so a part that does not come
 * is asked about: where the server has another version by now, the page is loaded again, once; else the boundary around the part says that it failed.
 */
const reloadedKey = 'nearhand.reloaded';
/** Servers of two versions behind one address must not send a page to and fro. */
const againMs = 60_000;

/** `React.lazy` for this app: nothing else makes lazy components (`load-part.test.tsx`). */
// biome-ignore lint/suspicious/noExplicitAny: the same bound as React's own
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> {
  return lazy(() =>
    load().catch(async (failure: unknown) => {
      // While the page goes away its parts stay as they wait: no failure flashes up.
      if (await reloadForNewVersion()) return new Promise<{ default: Part }>(() => {});
      throw failure;
    }),
  );
}

/** Loads a part ahead, when the browser is idle. A failure shows when the part is opened. */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => void load().catch(() => {}));
}

/** Loads the page again if the server has another version than the one that runs, and that was not tried just now. */
export async function reloadForNewVersion(): Promise<boolean> {
  if (justReloaded() || !(await isOutdated())) return false;
  try {
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // Without a place to remember it in, it could be tried for ever.
    return false;
  }
  page.reload();
  return true;
}

/** For tests, in which no page can be loaded again. */
export const page = { reload: () => globalThis.location.reload() };

function justReloaded(): boolean {
  try {
    return Math.abs(Date.now() - Number(sessionStorage.getItem(reloadedKey))) < againMs;
  } catch {
    return true;
  }
}

/** The page names its first script by its content: a page with another one is of another version. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!own) return false;
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
    const text = await answer.text();
    return answer.ok && text.includes('type="module"') && !text.includes(`"${own}"`);
  } catch {
    // No network: that is why the part did not come.
    return false;
  }
}
