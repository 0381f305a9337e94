import type { Page } from '@playwright/test';

export type Expected = {
  address: string;
  title: string | RegExp;
  tabBar: boolean;
};

export type Stop = { path: string; expected: Expected };

declare global {
  interface Window {
    pageFaults: typeof pageFaults;
    /** Opens an address as the phone does when a link leads into the app. */
    openLink: (path: string) => void;
    pressBack: () => void;
    timesLeft: number;
  }
}

/** The differences from the expected page. Runs in the browser, so it uses nothing from this file. */
export function pageFaults({ address, title, tabBar }: Expected, focused = true): string[] {
  const faults: string[] = [];
  const visible = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
  const holders = visible('.page-holder');
  const holder = holders[0];
  if (holders.length !== 1) faults.push(`${holders.length} pages are visible`);
  if (visible('main').length !== 1) faults.push(`${visible('main').length} visible elements are main`);
  const at = location.pathname + location.search;
  if (at !== address) faults.push(`the address is ${at} instead of ${address}`);
  const titled = typeof title === 'string' ? document.title === title : title.test(document.title);
  if (!titled) faults.push(`the title is "${document.title}" instead of "${title}"`);
  const tabBars = visible('.tab-nav');
  if (tabBars.length !== (tabBar ? 1 : 0)) faults.push(`${tabBars.length} tab bars are visible`);
  if (tabBar) {
    const current = visible('.tab-nav [aria-current="page"]').map((tab) => tab.getAttribute('href'));
    if (current.join() !== location.pathname) faults.push(`the current tab is ${current.join() || 'none'}`);
  }
  const open = document.querySelectorAll('dialog[open]').length;
  if (open > 0) faults.push(`${open} dialogs are open`);
  const focus = document.activeElement;
  const onHeading = focus?.tagName === 'H1' && holder?.contains(focus) === true;
  if (focused && !onHeading)
    faults.push(`the focus is on ${focus?.tagName ?? 'nothing'}, not on the heading`);
  return faults;
}

/** Injects the checker and a phone's app plugin into every document of this page. */
export async function withPhone(page: Page): Promise<void> {
  await page.addInitScript(`window.pageFaults = ${pageFaults}`);
  await page.addInitScript(() => {
    const listeners = new Map<string, (event: object) => void>();
    window.timesLeft = 0;
    // Like the real plugin, it queues a link until the app listens.
    let early: object | null = null;
    window.openLink = (path) => {
      const opened = { url: `nearhand:/${path}` };
      const listener = listeners.get('appUrlOpen');
      if (listener) listener(opened);
      else early = opened;
    };
    window.pressBack = () => listeners.get('backButton')?.({});
    const App = {
      addListener(event: string, listener: (event: object) => void) {
        listeners.set(event, listener);
        if (event === 'appUrlOpen' && early) listener(early);
        if (event === 'appUrlOpen') early = null;
        return { remove: () => listeners.delete(event) };
      },
      minimizeApp() {
        window.timesLeft += 1;
        return Promise.resolve();
      },
    };
    Object.assign(window, { Capacitor: { Plugins: { App } } });
  });
}

/** Opens each stop from a page and goes back. Runs inside the page, which takes seconds for hundreds of steps. */
export function walk(page: Page, start: Stop, stops: readonly Stop[]): Promise<string[]> {
  return page.evaluate(
    async ([from, targets]) => {
      const faults: string[] = [];
      const moment = () => new Promise((resolve) => setTimeout(resolve, 10));
      /** Checks until the page is right, and again a little later. */
      const arrive = async (expected: typeof from.expected, step: string) => {
        const until = performance.now() + 5_000;
        while (window.pageFaults(expected).length > 0 && performance.now() < until) await moment();
        await moment();
        faults.push(...window.pageFaults(expected).map((fault) => `${step}: ${fault}`));
      };
      window.openLink(from.path);
      await arrive(from.expected, from.path);
      for (const { path, expected } of targets) {
        window.openLink(path);
        await arrive(expected, `${from.path} -> ${path}`);
        const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
        history.back();
        await popped;
        await arrive(from.expected, `${from.path} -> ${path} -> Back`);
        if (faults.length > 0) break;
      }
      return faults;
    },
    [start, stops] as const,
  );
}
