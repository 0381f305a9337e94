import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../lib/session.ts';
import { loadWhatLinksPointAt, prefetchScreens } from './prefetch.ts';
import { preloadScreen } from './screens.tsx';

vi.mock('./screens.tsx', () => ({ preloadScreen: vi.fn() }));

const user = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
const preload = vi.mocked(preloadScreen);
const prefetched = () =>
  [...document.head.querySelectorAll('link[rel="prefetch"]')].map((link) => link.getAttribute('href'));

function savingData(saveData: boolean): void {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData } }));
}

let relList: { mockRestore: () => void } | undefined;
function prefetching(supported: boolean): void {
  relList = vi
    .spyOn(HTMLLinkElement.prototype, 'relList', 'get')
    .mockReturnValue({ supports: () => supported } as unknown as DOMTokenList);
}

beforeEach(() => {
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  preload.mockClear();
});
afterEach(() => {
  session.clear();
  vi.unstubAllGlobals();
  relList?.mockRestore();
});

describe('screens fetched ahead', () => {
  const list = (files: Record<string, string[]>) => {
    document.body.innerHTML = `<script type="application/json" id="ahead">${JSON.stringify(files)}</script>`;
  };

  it('are fetched without running them, each file once', async () => {
    prefetching(true);
    list({ one: ['assets/one.js', 'assets/shared.js', 'assets/one.css'], two: ['assets/shared.js'] });
    prefetchScreens(['one', 'two']);
    await vi.waitFor(() =>
      expect(prefetched()).toEqual(['/assets/one.js', '/assets/shared.js', '/assets/one.css']),
    );
    expect(preload).not.toHaveBeenCalled();
  });

  it('exclude what the page has loaded', async () => {
    prefetching(true);
    const { href } = new URL('/assets/loaded.js', location.href);
    const entries = vi
      .spyOn(performance, 'getEntriesByName')
      .mockImplementation((name) => (name === href ? [{} as PerformanceEntry] : []));
    list({ five: ['assets/loaded.js', 'assets/five.js'] });
    prefetchScreens(['five']);
    await vi.waitFor(() => expect(prefetched()).toEqual(['/assets/five.js']));
    entries.mockRestore();
  });

  it.each<[string, boolean, Record<string, string[]>]>([
    ['the browser has no prefetch', false, { three: ['assets/three.js'] }],
    ['the page lists no files', true, {}],
  ])('are loaded if %s', async (_case, supported, files) => {
    prefetching(supported);
    list(files);
    prefetchScreens(['three']);
    await vi.waitFor(() => expect(preload).toHaveBeenCalledWith('three'));
    expect(prefetched()).toEqual([]);
  });

  it('are skipped on a connection that saves data', async () => {
    savingData(true);
    prefetching(true);
    list({ four: ['assets/four.js'] });
    prefetchScreens(['four']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(prefetched()).toEqual([]);
    expect(preload).not.toHaveBeenCalled();
  });
});

describe('a screen behind a link', () => {
  loadWhatLinksPointAt();

  const pointAt = (href: string, type = 'pointerover') => {
    document.body.innerHTML = `<a href="${href}"><b>Open</b></a>`;
    document.querySelector('b')?.dispatchEvent(new Event(type, { bubbles: true }));
  };

  it.each(['pointerover', 'focusin', 'touchstart'])('loads at %s, once', (type) => {
    const path =
      { pointerover: '/login', focusin: '/register', touchstart: '/tabs/menu/explore' }[type] ?? '';
    pointAt(path, type);
    pointAt(path, type);
    expect(preload.mock.calls).toEqual([[path.split('/').at(-1)]]);
  });

  it("isn't loaded for a guest without access, nor for an address outside the app", () => {
    pointAt('/withdraw');
    pointAt('https://elsewhere.example/login');
    pointAt('/j/a-job');
    expect(preload).not.toHaveBeenCalled();
  });

  it('loads for a member', () => {
    session.start({ user, accessToken: 'secret' });
    pointAt('/notifications');
    expect(preload).toHaveBeenCalledWith('notifications');
  });

  it("isn't loaded on a connection that saves data", () => {
    savingData(true);
    pointAt('/tabs/menu/help');
    expect(preload).not.toHaveBeenCalled();
    savingData(false);
    pointAt('/tabs/menu/help');
    expect(preload).toHaveBeenCalledWith('help');
  });
});
