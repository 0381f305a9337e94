import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { press, type RenderOptions } from '../../test/device.ts';
import { refuse } from '../../test/fake-api.ts';
import { leila, sampleAccount } from '../../test/people.fixtures.ts';
import { address, renderApp } from '../../test/render-app.tsx';
import { AuthError } from '../lib/api/auth-provider.ts';
import type { SessionUser } from '../lib/session.ts';

const restored = vi.hoisted(() => vi.fn<() => Promise<SessionUser | null>>());
vi.mock('../lib/api/auth-provider.ts', async (original) => ({
  ...(await original<typeof import('../lib/api/auth-provider.ts')>()),
  restoreSession: restored,
}));

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
      ...options.api,
    },
  });
const next = '?next=%2Fnotifications%3Fa%3D1';
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const pending = () => {
  const { promise, resolve, reject } = Promise.withResolvers<SessionUser | null>();
  restored.mockReturnValue(promise);
  return { resolve: (user: SessionUser | null) => act(async () => resolve(user)), reject };
};

beforeEach(() => {
  restored.mockReset();
  document.title = 'Nearhand';
});

describe('/loading', () => {
  it('waits for the session, without a separate title', async () => {
    const session = pending();
    open(`/loading${next}`);
    expect(await screen.findByText('Signing in...')).toBeTruthy();
    expect([address(), document.title]).toEqual([`/loading${next}`, 'Nearhand']);
    expect(document.querySelector('.tab-nav')).toBeNull();
    await session.resolve(null);
    await waitFor(() => expect(address()).toBe(`/login${next}`));
    await waitFor(() => expect(document.title).toBe('Log in · Nearhand'));
  });

  it("replaces itself, so Back doesn't return to it", async () => {
    restored.mockResolvedValue(null);
    const { length } = history;
    open('/loading');
    await waitFor(() => expect(address()).toBe('/login'));
    expect(history.length).toBe(length);
  });

  it('sends a user with a session to the requested page', async () => {
    restored.mockResolvedValue(leila);
    open('/loading?next=%2Ftabs%2Fmenu%2Fexplore%3Fq%3Dbar', {
      session: 'worker',
      api: { 'accounts.me': { ...sampleAccount(leila), createdAt: '2020-01-01T00:00:00Z' } },
    });
    await waitFor(() => expect(address()).toBe('/tabs/menu/explore?q=bar'));
  });

  it('sends a new account to the sign-up steps once', async () => {
    restored.mockResolvedValue(leila);
    const account = { ...sampleAccount(leila), intent: null, createdAt: new Date().toISOString() };
    open(`/loading${next}`, { session: 'worker', api: { 'accounts.me': account } });
    await waitFor(() => expect(address()).toBe(`/complete-signup${next}`));
  });

  it('mails a new account with an unverified provider address, and sends it to the steps too', async () => {
    const unverified = { ...leila, emailVerified: false };
    restored.mockResolvedValue(unverified);
    const mailed = vi.fn(() => new Response('{}'));
    const account = { ...sampleAccount(unverified), intent: null, createdAt: new Date().toISOString() };
    open(`/loading${next}`, {
      session: 'unverified',
      api: { 'accounts.me': account, 'POST /api/auth/send-verification-email': mailed },
    });
    await waitFor(() => expect(address()).toBe(`/complete-signup${next}`));
    expect(mailed).toHaveBeenCalledTimes(1);
  });

  it.each([
    [new AuthError('auth/user-cancelled'), /cancel/i],
    [new AuthError('auth/internal-error'), 'An error occurred. Please try to sign in again later.'],
    [new Error('boom'), 'An error occurred. Please try to sign in again later.'],
  ])('shows why a sign-in failed (%s), and then leads to log in', async (failure, text) => {
    restored.mockRejectedValue(failure);
    open(`/loading${next}`);
    const alert = await screen.findByRole('alertdialog', { name: 'Error' });
    expect(alert.textContent).toMatch(text);
    expect(address()).toBe(`/loading${next}`);
    await press('Go to log in');
    await waitFor(() => expect(address()).toBe(`/login${next}`));
  });

  it("offers a way on after eight seconds, and doesn't redirect a user who took it", async () => {
    const session = pending();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    open(`/loading${next}`);
    await advance(100);
    await advance(7_800);
    expect(screen.queryByRole('link', { name: 'Go to log in' })).toBeNull();
    await advance(200);
    expect(screen.getByText('This is taking longer than usual.')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Go to log in' });
    expect(link.getAttribute('href')).toBe(`/login${next}`);
    await act(async () => link.click());
    vi.useRealTimers();
    await waitFor(() => expect(address()).toBe(`/login${next}`));
    await session.resolve(leila);
    expect(address()).toBe(`/login${next}`);
  });

  it('ignores paths outside the app', async () => {
    restored.mockResolvedValue(null);
    open(`/loading?next=${encodeURIComponent('/\t/evil.example')}`);
    await waitFor(() => expect(address()).toBe('/login'));
  });
});

describe('/flashscreen', () => {
  it('shows the brand for at least 700 ms, even when the session is there at once', async () => {
    restored.mockResolvedValue(null);
    // Preloads the chunk, so the screen's timer starts when the page opens.
    await import('./flashscreen.screen.tsx');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    open(`/flashscreen${next}`);
    await advance(1);
    await advance(1);
    expect(screen.getByText('Finding your place…')).toBeTruthy();
    await advance(600);
    expect(address()).toBe(`/flashscreen${next}`);
    await advance(200);
    expect(address()).toBe(`/getting-started${next}`);
  });

  it("continues when the session can't be restored, and sends a verified user home", async () => {
    restored.mockRejectedValue(new Error('no network'));
    open('/flashscreen', { session: 'worker' });
    await waitFor(() => expect(address()).toBe('/tabs/menu/explore'));
  });
});
