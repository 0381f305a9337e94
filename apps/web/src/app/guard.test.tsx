import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { side } from '../lib/device/device-setting.ts';
import { session } from '../lib/session.ts';
import { routes } from './routes.ts';
import { Guard } from './shell/shell.tsx';

const { me, update } = vi.hoisted(() => ({ me: vi.fn(), update: vi.fn() }));
vi.mock('../lib/api/api.ts', () => ({ api: { accounts: { me, update } } }));

const account = { intent: null, returnTo: null, memberships: [{ businessId: 'b1' }] };
const user = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
type Who = 'guest' | 'unverified' | 'verified';

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function open(path: string, who: Who): string {
  if (who !== 'guest') {
    session.start({ user: { ...user, emailVerified: who === 'verified' }, accessToken: 'token' });
  }
  render(
    <MemoryRouter initialEntries={[path]}>
      <Address />
      <Routes>
        {routes.map((route) => (
          <Route
            key={route.path}
            path={route.path}
            element={<Guard route={route}>page {route.path}</Guard>}
          />
        ))}
      </Routes>
    </MemoryRouter>,
  );
  return screen.getByRole('status').textContent ?? '';
}

beforeEach(() => {
  side.set('work');
  me.mockReset().mockResolvedValue(account);
  update.mockReset().mockResolvedValue(account);
});
const address = () => screen.getByRole('status').textContent;
const arrives = (path: string) => vi.waitFor(() => expect(address()).toBe(path));
afterEach(() => {
  cleanup();
  side.reset();
  session.clear();
  vi.useRealTimers();
});

const sample = (path: string) => path.replace(/:[a-z]+/, '42');

describe('the guard', () => {
  it('sends employers to their business, unless there is a return path', async () => {
    side.set('hire');
    open('/login', 'verified');
    await arrives('/tabs/menu/business');
    cleanup();
    expect(open('/login?next=%2Ftabs%2Fmenu%2Faccount', 'verified')).toBe('/tabs/menu/account');
    cleanup();
    side.set('work');
    open('/login', 'verified');
    await arrives('/tabs/menu/explore');
  });

  it('sends employers without a business to register one, on any device', async () => {
    side.reset();
    me.mockResolvedValue({ ...account, intent: 'hire', memberships: [] });
    open('/login?verify=code', 'verified');
    await arrives('/register-business');
    expect(side.get()).toBe('hire');
  });

  it('returns a newly verified user on any device to their original destination, once', async () => {
    me.mockResolvedValueOnce({ ...account, returnTo: '/job-apply-form/42?s=qr' });
    open('/login?verify=code', 'verified');
    await arrives('/job-apply-form/42?s=qr');
    expect(update.mock.calls).toEqual([[{ returnTo: null }]]);
    cleanup();
    open('/login', 'verified');
    await arrives('/tabs/menu/explore');
    cleanup();
    me.mockResolvedValueOnce({ ...account, returnTo: '//evil.com' });
    open('/login', 'verified');
    await arrives('/tabs/menu/explore');
  });

  it('goes on with the steps of sign-up from the mail, until there is a name', async () => {
    me.mockResolvedValue({ ...account, name: '' });
    open('/login?verify=code', 'verified');
    await arrives('/complete-signup');
    cleanup();
    open('/login', 'verified');
    await arrives('/tabs/menu/explore');
    cleanup();
    me.mockResolvedValue({ ...account, name: 'Leila' });
    open('/login?verify=code', 'verified');
    await arrives('/tabs/menu/explore');
  });

  it('goes on with registering a business for who came to hire, on any device', async () => {
    me.mockResolvedValue({ ...account, intent: 'hire', name: '', memberships: [] });
    open('/login?verify=code', 'verified');
    await arrives('/register-business');
    expect(me).toHaveBeenCalledOnce();
  });

  it('drops an older path when the address has one', async () => {
    me.mockResolvedValueOnce({ ...account, returnTo: '/job-desc/1' });
    expect(open('/login?next=%2Fjob-desc%2F2', 'verified')).toBe('/job-desc/2');
    await vi.waitFor(() => expect(update.mock.calls).toEqual([[{ returnTo: null }]]));
    expect(address()).toBe('/job-desc/2');
  });

  describe('on a device where nobody chose a side', () => {
    beforeEach(() => side.reset());

    it.each([
      ['hire', '/tabs/menu/business', 'hire'],
      ['work', '/tabs/menu/explore', 'work'],
      ['both', '/tabs/menu/explore', 'work'],
    ] as const)('sends a user who came for %s to %s', async (intent, path, menuSide) => {
      me.mockResolvedValue({ ...account, intent });
      expect(open('/login', 'verified')).toBe('/login');
      await vi.waitFor(() => expect(address()).toBe(path));
      expect([side.get(), side.isSet()]).toEqual([menuSide, true]);
    });

    it('leads home when the account fails to load, and retries next time', async () => {
      me.mockRejectedValue(new Error('no network'));
      open('/login', 'verified');
      await vi.waitFor(() => expect(address()).toBe('/tabs/menu/explore'));
      expect(side.isSet()).toBe(false);
    });

    it('waits at most three seconds', async () => {
      vi.useFakeTimers();
      me.mockReturnValue(new Promise(() => {}));
      open('/login', 'verified');
      await act(() => vi.advanceTimersByTimeAsync(2_900));
      expect(address()).toBe('/login');
      await act(() => vi.advanceTimersByTimeAsync(200));
      expect(address()).toBe('/tabs/menu/explore');
    });
  });

  for (const route of routes.filter((route) => route.guarded)) {
    const path = sample(route.path);
    it(`${route.path} sends guests and unverified users to /getting-started with a return path`, () => {
      const entry = `/getting-started?next=${encodeURIComponent(path)}`;
      expect(open(path, 'guest')).toBe(entry);
      cleanup();
      expect(open(path, 'unverified')).toBe(entry);
      cleanup();
      expect(open(path, 'verified')).toBe(path);
    });
  }

  it.each(routes.filter((route) => !route.guarded).map((route) => sample(route.path)))(
    '%s is open',
    (path) => {
      expect(open(path, 'guest')).toBe(path);
    },
  );

  it.each(['/getting-started', '/register', '/login'])('%s redirects a verified user home', async (path) => {
    open(path, 'verified');
    await arrives('/tabs/menu/explore');
    cleanup();
    expect(open(path, 'unverified')).toBe(path);
  });

  it('returns a verified user to the requested page', async () => {
    expect(open('/login?next=%2Fjob-desc%2F42%3Flat%3D1', 'verified')).toBe('/job-desc/42?lat=1');
    cleanup();
    open('/login?next=%2F%2Fevil.com', 'verified');
    await arrives('/tabs/menu/explore');
  });

  it('lets a signed-in user continue on the other sign-up screens', () => {
    for (const path of ['/expertise', '/fill-profile', '/complete-signup', '/loading', '/flashscreen']) {
      expect(open(path, 'verified')).toBe(path);
      cleanup();
    }
  });

  it('redirects when the session ends and when the email is verified', () => {
    expect(open('/toc', 'verified')).toBe('/toc');
    act(() => session.clear());
    expect(screen.getByRole('status').textContent).toBe('/getting-started?next=%2Ftoc');
    act(() => session.start({ user, accessToken: 'token' }));
    expect(screen.getByRole('status').textContent).toBe('/toc');
  });
});

describe('an account that is being deleted', () => {
  it('is sent to the page that can keep it, from every guarded screen', () => {
    session.start({ user: { ...user, leaving: true }, accessToken: 'token' });
    for (const [path, expected] of [
      ['/tabs/menu/my-work', '/account-settings'],
      ['/account-settings', '/account-settings'],
      ['/favorite', '/favorite'],
    ] as const) {
      render(
        <MemoryRouter initialEntries={[path]}>
          <Address />
          <Routes>
            {routes.map((route) => (
              <Route key={route.path} path={route.path} element={<Guard route={route}>page</Guard>} />
            ))}
          </Routes>
        </MemoryRouter>,
      );
      expect(screen.getByRole('status').textContent).toBe(expected);
      cleanup();
    }
  });
});
