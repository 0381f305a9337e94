import { savesData } from '../lib/device/platform.ts';
import { whenIdle } from '../lib/pages/load-part.ts';
import { session } from '../lib/session.ts';
import { routeOf } from './routes.ts';
import { preloadScreen } from './screens.tsx';

/** The files of a screen, which `build/chunks/prefetch-targets.ts` lists in the HTML page. Empty in development. */
function filesOf(screen: string): string[] {
  const text = document.getElementById('ahead')?.textContent;
  return text ? ((JSON.parse(text) as Record<string, string[]>)[screen] ?? []) : [];
}

const canPrefetch = (): boolean => document.createElement('link').relList?.supports?.('prefetch') === true;

/** Prefetches screens when the browser is idle, unless the connection saves data. */
export function prefetchScreens(screens: readonly string[]): void {
  if (savesData()) return;
  void whenIdle().then(() => {
    for (const screen of screens) {
      const files = filesOf(screen);
      if (files.length === 0 || !canPrefetch()) preloadScreen(screen);
      else for (const file of files) prefetch(file);
    }
  });
}

const prefetchedFiles = new Set<string>();

function prefetch(file: string): void {
  const { href } = new URL(`/${file}`, globalThis.location.href);
  if (prefetchedFiles.has(file) || performance.getEntriesByName(href).length > 0) return;
  prefetchedFiles.add(file);
  const as = file.endsWith('.css') ? 'style' : 'script';
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'prefetch', href: `/${file}`, as }),
  );
}

const aimed = new Set<string>();

export function loadWhatLinksPointAt(): void {
  const prefetchTarget = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== globalThis.location.origin || aimed.has(link.pathname) || savesData())
      return;
    aimed.add(link.pathname);
    const route = routeOf(link.pathname);
    if (typeof route?.screen !== 'string') return;
    if (route.guarded && session.user()?.emailVerified !== true) return;
    preloadScreen(route.screen);
  };
  for (const type of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(type, prefetchTarget, { capture: true, passive: true });
}
