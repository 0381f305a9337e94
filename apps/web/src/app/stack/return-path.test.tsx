import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nightly, seededSample } from '../../../../../scripts/seeded-sample.ts';
import type { RenderOptions } from '../../../test/device.ts';
import { refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { insidePath, openUrl, returnPath } from '../native/open-url.ts';
import { routeOf, routes } from '../routes.ts';

const origin = 'https://nearhand.example';
const entries = ['/getting-started', '/login', '/register'] as const;
const query = (next: string) => `?next=${encodeURIComponent(next)}`;
const open = (path: string, options: RenderOptions = {}) =>
  renderApp(path, {
    ...options,
    api: {
      'nearby.search': ({ radiusKm }) => ({
        items: [],
        nextCursor: null,
        radiusKm,
        widened: false,
        respelled: [],
        common: null,
      }),
      'notifications.list': { items: [], nextCursor: null, unread: 0 },
      'profiles.mine': () => {
        throw refuse('profile/not-found');
      },
    },
  });

const entryLinks = () =>
  [...document.querySelectorAll('a[href^="/login"], a[href^="/register"]')].map(
    (link) => link.getAttribute('href') ?? '',
  );
const nextIn = (href: string) => new URL(href, origin).searchParams.get('next');

describe('the return path of a guest', () => {
  const guarded = routes.filter((route) => route.guarded).map(({ path }) => path.replace(/:[a-z]+/, '42'));

  it.each(seededSample(guarded, 10, (path) => path))(
    '%s is kept, with its query, until sign-in',
    async (path) => {
      const target = `${path}?a=1&b=%2F%2Ftwo%20words`;
      open(target);
      const logIn = await screen.findByRole('link', { name: 'Log in' });
      expect(address()).toBe(`/getting-started${query(target)}`);
      expect(entryLinks().map(nextIn)).toEqual([target, target]);
      await act(async () => void fireEvent.click(logIn));
      await screen.findByRole('button', { name: 'Log in' });
      expect(entryLinks().map(nextIn)).toContain(target);
      expect(returnPath(window.location.search)).toBe(target);
    },
  );
});

const hostile = [
  '//evil.example',
  '///evil.example/toc',
  'https://evil.example/toc',
  'https:evil.example',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example/toc',
  '/%2F/evil.example',
  '/%5Cevil.example',
  '/%252F%252Fevil.example',
  '/toc/..//evil.example',
  '/job-desc/..%2f..%2f',
  '/\u202Ecot',
  '/api/accounts/me',
  '/dev/mailbox',
  '/login?next=/login',
];

describe('a return path that the app may not follow', () => {
  it.each(seededSample(hostile, 7, (url) => url))('%j leads nowhere else, for any user', async (next) => {
    for (const entry of entries) {
      open(entry + query(next), { session: 'worker' });
      await waitFor(() => expect(address()).toBe('/tabs/menu/explore'));
      cleanup();
    }
    expect(window.location.host).toBe(new URL(document.baseURI).host);
  });

  const foreign = hostile.filter((url) => !/^\/(api|dev|login)/.test(url));
  it.each(seededSample(foreign, 6, (url) => url))(
    '%j is not even passed on from screen to screen',
    async (next) => {
      open(`/login${query(next)}`);
      await screen.findByRole('button', { name: 'Log in' });
      const passedOn = entryLinks()
        .map(nextIn)
        .filter((path) => path !== null);
      for (const path of passedOn) expect(new URL(path, origin).origin).toBe(origin);
    },
  );
});

describe('whatever is asked for', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '\\',
      '\t',
      '\n',
      '..',
      ':',
      '@',
      '?',
      '#',
      '&',
      '%2F',
      '%5C',
      '%25',
      '%',
      'toc',
      'tabs/menu/explore',
    ),
    fc.constantFrom(
      'job-desc/',
      '42',
      'evil.example',
      'javascript:',
      'nearhand:',
      'https://',
      'next=',
      '\u202E',
      '\u0000',
    ),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
  const requireInside = (path: string) => {
    const url = new URL(path, origin);
    expect(url.origin).toBe(origin);
    expect(routeOf(url.pathname), path).toBeDefined();
  };

  it("a return path leads to a screen of the table that isn't an entry", () => {
    fc.assert(
      fc.property(text, (next) => {
        const path = returnPath(query(next));
        requireInside(path);
        expect(routeOf(path.split('?')[0] ?? '')?.entry).toBeUndefined();
      }),
      { numRuns: nightly ? 3_000 : 1_000 },
    );
  });

  it('an inside path stays the same when it is checked again', () => {
    fc.assert(
      fc.property(text, (target) => {
        const path = insidePath(`/${target}`);
        if (path === null) return;
        requireInside(path);
        expect(insidePath(path)).toBe(path);
      }),
      { numRuns: nightly ? 3_000 : 1_000 },
    );
  });

  it('a link from outside opens a screen of the table', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'nearhand:', 'https://nearhand.example/', 'https://'),
        text,
        (start, rest) => {
          requireInside(openUrl(start + rest, ['nearhand.example']));
        },
      ),
      { numRuns: nightly ? 3_000 : 1_000 },
    );
  });
});
