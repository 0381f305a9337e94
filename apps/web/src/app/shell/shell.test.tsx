import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { press, type RenderOptions } from '../../../test/device.ts';
import { refuse } from '../../../test/fake-api.ts';
import { leila, sampleAccount } from '../../../test/people.fixtures.ts';
import { address, goBack, renderApp } from '../../../test/render-app.tsx';
import { side } from '../../lib/device/device-setting.ts';
import { session } from '../../lib/session.ts';

const explore = '/tabs/menu/explore';
const account = '/tabs/menu/account';

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
      'profiles.mine': () => {
        throw refuse('profile/not-found');
      },
      'notifications.list': { items: [], nextCursor: null, unread: 0 },
      ...options.api,
    },
  });

const holders = () => [...document.querySelectorAll<HTMLElement>('.page-holder')];
const visible = () => holders().filter((holder) => getComputedStyle(holder).display !== 'none');
function page(): HTMLElement {
  const [first, ...more] = visible();
  if (!first || more.length > 0) throw new Error(`${visible().length} pages are visible`);
  return first;
}
const heading = () => page().querySelector('h1');
const tabBar = () => document.querySelector<HTMLElement>('.tab-nav');
const tab = (name: string) => {
  const bar = tabBar();
  if (!bar) throw new Error('there is no tab bar');
  return within(bar).getByRole('link', { name });
};
const follow = (link: HTMLElement) => act(async () => void fireEvent.click(link));
const titled = (title: string) => waitFor(() => expect(document.title).toBe(`${title} · Nearhand`));
const field = async () =>
  (await within(page()).findByRole('searchbox', { name: 'Search jobs' })) as HTMLInputElement;

beforeEach(() => {
  document.title = 'Nearhand';
});

describe('tabs', () => {
  it('keep their text and scroll position, with one page each', async () => {
    open(explore);
    fireEvent.change(await field(), { target: { value: 'bar' } });
    const textField = await field();
    await follow(tab('Account'));
    await titled('Account');
    expect(heading()?.textContent).toBe('Your account');
    await follow(tab('Explore'));
    await titled('Explore');
    expect(await field()).toBe(textField);
    expect(textField.value).toBe('bar');
    await follow(tab('Account'));
    await follow(tab('Explore'));
    expect(holders()).toHaveLength(2);
  });

  it('mark the open one, and Back steps through them', async () => {
    open(explore);
    await titled('Explore');
    await follow(tab('Account'));
    await titled('Account');
    const current = () =>
      [...(tabBar()?.querySelectorAll('[aria-current="page"]') ?? [])].map((element) => element.textContent);
    expect(current()).toEqual(['Account']);
    await goBack();
    await titled('Explore');
    expect([address(), current()]).toEqual([explore, ['Explore']]);
  });

  it('disappear on a page above them and return with it', async () => {
    open(account);
    await titled('Account');
    await follow(within(page()).getByRole('link', { name: 'Log in' }));
    await titled('Log in');
    expect(tabBar()).toBeNull();
    await goBack();
    await titled('Account');
    expect(tabBar()).not.toBeNull();
  });

  it('belong to the open side', async () => {
    open(explore);
    await titled('Explore');
    const names = () => [...(tabBar()?.querySelectorAll('a') ?? [])].map((link) => link.textContent);
    expect(names()).toEqual(['Explore', 'My work', 'Messages', 'Account']);
    act(() => side.set('hire'));
    expect(names()).toEqual(['Business', 'Jobs', 'Messages', 'Account']);
  });

  it('do not exist on a desktop, where the menu is always open', async () => {
    open(explore, { width: 1280 });
    await titled('Explore');
    expect(tabBar()).toBeNull();
    expect(await screen.findByRole('navigation', { name: 'Menu' })).toBeTruthy();
    expect(document.querySelector('dialog.drawer')).toBeNull();
  });
});

describe('pages', () => {
  it('move the focus to their heading, and back to the link that opened the next one', async () => {
    open(account);
    await titled('Account');
    expect(document.activeElement).toBe(document.body);
    const link = within(page()).getByRole('link', { name: 'Log in' });
    link.focus();
    await follow(link);
    await titled('Log in');
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    await goBack();
    expect(document.activeElement).toBe(link);
  });

  it('restore their scroll position', async () => {
    open(account);
    await titled('Account');
    const main = page().querySelector('main') as HTMLElement;
    main.scrollTop = 240;
    fireEvent.scroll(main);
    await follow(within(page()).getByRole('link', { name: 'Log in' }));
    await titled('Log in');
    // A hidden element loses its scroll position.
    main.scrollTop = 0;
    await goBack();
    expect(main.scrollTop).toBe(240);
  });

  it('of the app ignore a return path in another address', async () => {
    open(`/login?next=${encodeURIComponent('//evil.example/toc')}`);
    await titled('Log in');
    const register = within(page()).getByRole('link', { name: /Create/ });
    expect(register.getAttribute('href')).toBe('/register');
  });

  it('about a user close when they sign out', async () => {
    open(account, { session: 'worker' });
    expect(await screen.findByText('leila@example.org')).toBeTruthy();
    await follow(tab('Explore'));
    await titled('Explore');
    expect(holders()).toHaveLength(2);
    await act(async () => session.clear());
    expect(holders()).toHaveLength(1);
    expect(document.body.textContent).not.toContain('leila@example.org');
    await goBack();
    await titled('Account');
    expect(within(page()).getByRole('link', { name: 'Log in' })).toBeTruthy();
  });

  it('stay when the same user is renewed', async () => {
    open(account, { session: 'worker' });
    await screen.findByText('leila@example.org');
    await follow(tab('Explore'));
    await titled('Explore');
    const user = session.user();
    if (!user) throw new Error('nobody is signed in');
    await act(async () => session.update({ user: { ...user, name: 'Leila H.' } }));
    expect(holders()).toHaveLength(2);
  });

  it('in the way of the skip link receive the focus, except a hidden one', async () => {
    open(explore);
    await titled('Explore');
    await follow(tab('Account'));
    await titled('Account');
    await press('Skip to content');
    expect(document.activeElement).toBe(page().querySelector('main'));
  });

  it("before the app have no menu, and art next to them only where they don't fill a desktop", async () => {
    const { unmount } = open('/login', { width: 1280 });
    await titled('Log in');
    expect(document.querySelector('[data-beside]')).not.toBeNull();
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
    unmount();
    open('/getting-started', { width: 1280 });
    await titled('Welcome');
    expect(document.querySelector('[data-beside]')).toBeNull();
  });
});

describe('titles', () => {
  it('follow the page after signing in', async () => {
    open('/login?next=%2Fnotifications', { api: { 'accounts.me': sampleAccount(leila) } });
    await titled('Log in');
    await act(async () =>
      session.start({ user: leila, accessToken: `h.${btoa(JSON.stringify({ exp: 99_999_999_999 }))}.s` }),
    );
    await titled('Notifications');
    expect(address()).toBe('/notifications');
    expect(tabBar()).toBeNull();
  });
});

describe('an address that does not exist', () => {
  it.each([
    '/nope',
    '/toc/1',
    '/TOC',
    '/job-desc/a%20b',
    '/job-desc',
    '/job-desc/a/b',
    '/tabs/menu',
    '/api',
    '/%2F%2Fevil.example',
  ])('%s shows an error and stays in the address', async (path) => {
    open(path);
    await titled('Page not found');
    expect([address(), heading()?.textContent]).toEqual([path, 'Page not found']);
    expect(tabBar()).toBeNull();
    expect(visible()).toHaveLength(1);
  });

  it("leads home: to nearby jobs, or to an employer's business", async () => {
    const home = () => within(page()).getByRole('link', { name: 'Go home' }).getAttribute('href');
    const { unmount } = open('/nope');
    await titled('Page not found');
    expect(home()).toBe(explore);
    unmount();
    open('/nope', { session: 'business' });
    await titled('Page not found');
    expect(home()).toBe('/tabs/menu/business');
  });

  it.each([
    ['pizza & bar', `${explore}?q=pizza+%26+bar`],
    ['   ', explore],
  ])('searches for %j', async (words, place) => {
    open('/nope');
    await titled('Page not found');
    const search = await field();
    fireEvent.change(search, { target: { value: words } });
    await act(async () => void fireEvent.submit(search.form as HTMLFormElement));
    await titled('Explore');
    await waitFor(() => expect(address()).toBe(place));
    await goBack();
    await titled('Page not found');
  });

  it.each([
    ['/%74oc?a=1', '/getting-started?next=%2Ftoc%3Fa%3D1'],
    ['/tabs/menu/%61ccount', account],
    ['/tabs/menu/account/?a=1', `${account}?a=1`],
  ])('%s matches an existing one with escapes', async (path, page) => {
    open(path);
    await waitFor(() => expect(address()).toBe(page));
    expect(heading()?.textContent).not.toBe('Page not found');
  });
});

describe('the menu of a phone', () => {
  const dialog = () => document.querySelector<HTMLDialogElement>('dialog.drawer');
  const openMenu = async () => {
    await press('Menu');
    await waitFor(() => expect(dialog()?.open).toBe(true));
    const menu = dialog() as HTMLElement;
    await within(menu).findByRole('navigation', { name: 'Menu' });
    return menu;
  };

  it('is a history step that Back closes', async () => {
    open(explore);
    await titled('Explore');
    const before = history.length;
    await openMenu();
    expect(history.length).toBe(before + 1);
    await goBack();
    expect([dialog()?.open, address()]).toEqual([false, explore]);
    expect(holders()).toHaveLength(1);
  });

  it('is replaced by the page of a link in it', async () => {
    open(account);
    await titled('Account');
    const menu = await openMenu();
    const before = history.length;
    await follow(within(menu).getByRole('link', { name: 'Explore' }));
    await titled('Explore');
    expect([dialog()?.open, history.length]).toEqual([false, before]);
    await goBack();
    await titled('Account');
    expect(dialog()?.open).toBe(false);
  });

  it('stays open with the focus in it while the side changes, then gives it to the page', async () => {
    open(explore);
    await titled('Explore');
    const menu = await openMenu();
    const hire = within(menu).getByRole('radio', { name: 'Hire' });
    hire.focus();
    await follow(hire);
    await titled('Business');
    expect([dialog()?.open, document.activeElement === hire, side.get()]).toEqual([true, true, 'hire']);
    fireEvent(dialog() as HTMLElement, new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(dialog()?.open).toBe(false));
    expect(address()).toBe('/tabs/menu/business');
    expect(document.activeElement).toBe(heading());
    await goBack();
    await titled('Explore');
    expect(dialog()?.open).toBe(false);
  });

  it('keeps the filters that a page wrote into its address', async () => {
    open(explore);
    await titled('Explore');
    await press('Shifts');
    await waitFor(() => expect(address()).toBe(`${explore}?kind=shift`));
    await openMenu();
    expect(address()).toBe(`${explore}?kind=shift`);
    await goBack();
    expect(address()).toBe(`${explore}?kind=shift`);
  });
});
