import fc from 'fast-check';
import type { Location } from 'react-router';
import { describe, expect, it } from 'vitest';
import {
  dropHiddenPages,
  initialStack,
  type Motion,
  nextStack,
  type PageStack,
  shownPage,
} from './page-stack.ts';

const isTab = (pathname: string) => pathname.startsWith('/tabs/');
const at = (path: string, key: string, state: unknown = null): Location => {
  const [pathname = '', search] = path.split('?');
  return { pathname, search: search ? `?${search}` : '', hash: '', state, key, mask: undefined };
};

class Visit {
  #history: Location[];
  #index = 0;
  #keys = 0;
  stack: PageStack;

  constructor(start: string) {
    this.#history = [at(start, 'first')];
    this.stack = initialStack(at(start, 'first'), 0);
  }

  get place(): Location {
    return this.#history[this.#index] as Location;
  }

  get depth(): number {
    return this.#index;
  }

  push(path: string, state?: unknown): this {
    this.#keys += 1;
    this.#history = [...this.#history.slice(0, this.#index + 1), at(path, `k${this.#keys}`, state)];
    this.#index += 1;
    return this.#follow('PUSH');
  }

  replace(path: string, state?: unknown): this {
    this.#keys += 1;
    this.#history[this.#index] = at(path, `k${this.#keys}`, state);
    return this.#follow('REPLACE');
  }

  go(by: number): this {
    const to = Math.min(Math.max(this.#index + by, 0), this.#history.length - 1);
    if (to === this.#index) return this;
    this.#index = to;
    return this.#follow('POP');
  }

  #follow(action: 'PUSH' | 'REPLACE' | 'POP'): this {
    this.stack = nextStack(this.stack, { location: { ...this.place }, action, index: this.#index }, isTab);
    return this;
  }

  get paths(): string[] {
    return this.stack.pages.map(({ location }) => location.pathname);
  }

  get id(): number {
    return shownPage(this.stack).id;
  }

  get motion(): Motion {
    return this.stack.motion;
  }
}

describe('the stack of pages', () => {
  it('keeps earlier pages mounted and returns to them on Back', () => {
    const visit = new Visit('/tabs/explore');
    const explore = visit.id;
    const job = visit.push('/job/1').id;
    const similar = visit.push('/job/2').id;
    expect(new Set([explore, job, similar]).size).toBe(3);
    expect(visit.go(-1).id).toBe(job);
    expect(visit.paths).not.toContain('/job/2');
    expect(visit.go(-1).id).toBe(explore);
    // Pages after the current entry are unmounted, so Forward opens a new one.
    expect(visit.go(1).id).toBeGreaterThan(similar);
  });

  it('opens a new page when a link leads to a path in the history', () => {
    const visit = new Visit('/job/1');
    const first = visit.id;
    const again = visit.push('/business').push('/job/1').id;
    expect(again).not.toBe(first);
    expect(visit.go(-2).id).toBe(first);
  });

  it('stays on the page when only the query changes', () => {
    const visit = new Visit('/chat');
    const { id } = visit;
    expect(visit.push('/chat?c=1').id).toBe(id);
    expect(visit.motion).toBe('none');
    expect(shownPage(visit.stack).location.search).toBe('?c=1');
    expect(visit.go(-1).id).toBe(id);
    expect(shownPage(visit.stack).location.search).toBe('');
  });

  it('replaces a redirecting page', () => {
    const visit = new Visit('/getting-started');
    const entry = visit.id;
    visit.push('/tabs/explore').push('/job/1').replace('/getting-started?next=%2Fjob%2F1');
    expect(visit.id).not.toBe(entry);
    expect(visit.paths).toEqual(['/getting-started', '/tabs/explore', '/getting-started']);
    expect(visit.go(-1).paths).toEqual(['/getting-started', '/tabs/explore']);
  });

  it('has one page per tab', () => {
    const visit = new Visit('/tabs/explore');
    const explore = visit.id;
    visit.push('/tabs/account').push('/settings').push('/tabs/explore');
    expect(visit.id).toBe(explore);
    expect(visit.paths.filter((path) => path === '/tabs/explore')).toHaveLength(1);
    visit.go(-3);
    expect([visit.id, visit.paths]).toEqual([explore, ['/tabs/explore', '/tabs/account']]);
  });

  it('keeps the page under the menu drawer', () => {
    const visit = new Visit('/job/1');
    const page = shownPage(visit.stack);
    const { id } = page;
    visit.push('/job/1', { menu: true });
    expect(shownPage(visit.stack)).toBe(page);
    visit.go(-1);
    expect(shownPage(visit.stack)).toBe(page);
    visit.push('/job/1', { menu: true });
    visit.replace('/settings');
    expect(visit.go(-1).id).toBe(id);
  });

  it('animates forward and back, but not between tabs', () => {
    const visit = new Visit('/tabs/explore');
    expect(visit.push('/job/1').motion).toBe('forward');
    expect(visit.go(-1).motion).toBe('back');
    expect(visit.go(1).motion).toBe('forward');
    expect(visit.push('/tabs/account').motion).toBe('none');
    expect(visit.push('/tabs/explore').motion).toBe('none');
    expect(visit.go(-1).motion).toBe('none');
    expect(visit.replace('/job/2').motion).toBe('none');
    expect(visit.replace('/tabs/jobs', { motion: 'back' }).motion).toBe('back');
  });

  it('unmounts hidden pages on request', () => {
    const visit = new Visit('/tabs/explore').push('/wallet').push('/tabs/account');
    const stack = dropHiddenPages(visit.stack);
    expect(stack.pages.map(({ location }) => location.pathname)).toEqual(['/tabs/account']);
    const back = nextStack(stack, { location: at('/wallet', 'k1'), action: 'POP', index: 1 }, isTab);
    expect(shownPage(back).id).toBe(3);
  });

  it('works without history indexes', () => {
    const start = initialStack(at('/a', 'first'));
    const there = nextStack(start, { location: at('/b', 'b'), action: 'PUSH' }, isTab);
    const back = nextStack(there, { location: at('/a', 'first'), action: 'POP' }, isTab);
    expect([shownPage(back).id, back.motion]).toEqual([0, 'back']);
    const before = nextStack(back, { location: at('/c', 'older'), action: 'POP' }, isTab);
    expect([shownPage(before).location.pathname, before.motion]).toEqual(['/c', 'back']);
  });
});

const paths = [
  '/tabs/explore',
  '/tabs/account',
  '/tabs/jobs',
  '/job/1',
  '/job/2',
  '/chat',
  '/chat?c=1',
  '/toc',
];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...paths).map((path) => ['push', path] as const) },
  { weight: 2, arbitrary: fc.constantFrom(...paths).map((path) => ['replace', path] as const) },
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 2 }).map((by) => ['go', by] as const) },
  { weight: 1, arbitrary: fc.constant(['menu', ''] as const) },
);

describe('for any sequence of navigations', () => {
  it('the shown page matches the address, tabs are unique and the number of pages is limited', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const visit = new Visit('/tabs/explore');
        for (const [what, to] of steps) {
          const before = visit.stack;
          if (what === 'push') visit.push(to);
          else if (what === 'replace') visit.replace(to);
          else if (what === 'go') visit.go(to);
          else visit.push(visit.place.pathname, { menu: true });
          const { pages } = visit.stack;
          expect(shownPage(visit.stack).location.pathname).toBe(visit.place.pathname);
          expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
          const tabs = visit.paths.filter(isTab);
          expect(new Set(tabs).size).toBe(tabs.length);
          expect(pages.length - tabs.length).toBeLessThanOrEqual(6);
          const stayed = before.pages
            .map(({ id }) => id)
            .filter((id) => pages.some((page) => page.id === id));
          expect(pages.map(({ id }) => id).filter((id) => stayed.includes(id))).toEqual(stayed);
          expect(
            Object.values(visit.stack.entries).every(({ page }) => pages.some(({ id }) => id === page)),
          ).toBe(true);
        }
      }),
    );
  });

  it('Back returns to the same page', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(...paths), (steps, path) => {
        const visit = new Visit('/tabs/explore');
        for (const [what, to] of steps) {
          if (what === 'push') visit.push(to);
          else if (what === 'replace') visit.replace(to);
          else if (what === 'go') visit.go(to);
        }
        const { id } = visit;
        expect(visit.push(path).go(-1).id).toBe(id);
      }),
    );
  });
});
