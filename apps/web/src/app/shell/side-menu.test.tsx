import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { RenderOptions } from '../../../test/device.ts';
import { never, refuse } from '../../../test/fake-api.ts';
import { leila, nadia, sampleAccount, sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { side } from '../../lib/device/device-setting.ts';
import SideMenu from './side-menu.tsx';

const noWork = { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 };
const atWork = (counts: Partial<typeof noWork> = {}) => ({
  items: [],
  nextCursor: null,
  counts: { ...noWork, ...counts },
});
const noInterviews = { items: [], nextCursor: null };

function open(path: string, { drawer = false, ...options }: RenderOptions & { drawer?: boolean } = {}) {
  const hiring =
    options.session === 'business'
      ? { 'engagements.forBusiness': atWork(), 'interviews.mine': noInterviews }
      : {};
  return renderPart(<SideMenu drawer={drawer} />, { path, ...options, api: { ...hiring, ...options.api } });
}

const link = (name: string | RegExp) => screen.getByRole('link', { name });
const names = () => screen.getAllByRole('listitem').map((item) => item.textContent);
const marked = () =>
  [...document.querySelectorAll('[aria-current]')].map((element) => [
    element.getAttribute('href'),
    element.getAttribute('aria-current'),
  ]);

describe('what the menu lists', () => {
  it('for a guest who looks for work: no notifications, and ways in with a return path', () => {
    open('/tabs/menu/account');
    expect(names()).toEqual([
      'Explore',
      'My work',
      'Saved',
      'Messages',
      'Interviews',
      'Balance',
      'Reviews',
      'Help',
    ]);
    expect(link('Help').getAttribute('href')).toBe('/tabs/menu/help');
    expect(link('Create account').getAttribute('href')).toBe('/register?next=%2Ftabs%2Fmenu%2Faccount');
    expect(link('Log in').getAttribute('href')).toBe('/login?next=%2Ftabs%2Fmenu%2Faccount');
  });

  it.each(['/tabs/menu/explore', '/no/such/page'])('keeps no return path to %s', (path) => {
    open(path);
    expect(link('Log in').getAttribute('href')).toBe('/login');
  });

  it('for a worker: unread counts, and the signed-in user', async () => {
    open('/tabs/menu/explore', {
      session: 'worker',
      api: {
        'accounts.me': { ...sampleAccount(leila), unreadNotifications: 3 },
        'conversations.unread': { conversations: 120 },
      },
    });
    expect(await screen.findByRole('link', { name: /^Notifications 3 new$/ })).toBeTruthy();
    expect(await screen.findByRole('link', { name: /^Messages 99\+ unread$/ })).toBeTruthy();
    expect(link(/Leila Haddad/).getAttribute('href')).toBe('/tabs/menu/account');
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull();
  });

  it('leads to the budgets while requests wait for an owner', async () => {
    open('/tabs/menu/business', {
      session: 'business',
      api: { 'businesses.mine': [sampleBusiness({ budgetRequests: 2 })] },
    });
    const item = await screen.findByRole('link', { name: /2 budget requests$/ });
    expect(item.getAttribute('href')).toBe(
      `/merchant-transaction?show=budgets&business=${sampleBusiness().id}`,
    );
  });

  it('for a business: the current business and what is due, with text for screen readers', async () => {
    const { api } = open('/tabs/menu/business', {
      session: 'business',
      api: {
        'businesses.mine': [sampleBusiness({ openJobs: 2, newApplicants: 5 })],
        'engagements.forBusiness': atWork({ here: 1, late: 2, to_approve: 4 }),
      },
    });
    expect(await screen.findByRole('link', { name: /^Jobs 2 open$/ })).toBeTruthy();
    expect(link(/^Applicants 5 not opened$/)).toBeTruthy();
    expect(await screen.findByRole('link', { name: /^On shift 3 on site or late$/ })).toBeTruthy();
    expect(screen.getByText('on site or late').parentElement?.classList.contains('hot')).toBe(true);
    expect(link(/^Release payment 4 to release$/)).toBeTruthy();
    expect(link('Interviews')).toBeTruthy();
    expect(link(/Nadia Rahmani/).textContent).toContain('Kopi & Crumb');
    // The two entries share one request per business.
    expect(api.inputs('engagements.forBusiness')).toMatchObject([{ businessId: sampleBusiness().id }]);
  });

  it.each([
    {
      role: 'finance' as const,
      entries: ['Business', 'Release payment', 'Statement', 'Reviews', 'Notifications'],
    },
    {
      role: 'recruiter' as const,
      branchIds: [sampleBusiness().id],
      entries: [
        'Business',
        'Jobs',
        'Roster',
        'Applicants',
        'Find workers',
        'Interviews',
        'On shift',
        'Release payment',
        'Finished work',
        'Reviews',
        'Messages',
        'Notifications',
      ],
    },
    {
      role: 'owner' as const,
      status: 'closed' as const,
      entries: [
        'Business',
        'Jobs',
        'Applicants',
        'Finished work',
        'Statement',
        'Reviews',
        'Messages',
        'Notifications',
      ],
    },
  ])('for $role: only what the role can open', async ({ entries, ...member }) => {
    open('/tabs/menu/business', {
      session: 'business',
      api: {
        'businesses.mine': [sampleBusiness({ ...member, openJobs: 0, newApplicants: 0 })],
      },
    });
    await waitFor(() => expect(names()).toEqual(entries));
  });

  it('shows no counts while they load, on errors, or without a business', async () => {
    const { unmount } = open('/tabs/menu/business', {
      session: 'business',
      api: {
        'engagements.forBusiness': () => {
          throw refuse('request/internal');
        },
        'interviews.mine': never,
      },
    });
    expect(await screen.findByRole('link', { name: /^Jobs 1 open$/ })).toBeTruthy();
    expect([link('On shift'), link('Release payment'), link('Interviews')]).toHaveLength(3);
    unmount();
    const { api } = open('/tabs/menu/business', {
      session: 'business',
      api: { 'businesses.mine': [], 'accounts.me': sampleAccount(nadia) },
    });
    await waitFor(() => expect(api.calls('businesses.mine')).toHaveLength(1));
    expect(link('Jobs')).toBeTruthy();
    expect(api.calls('engagements.forBusiness')).toHaveLength(0);
  });

  it('sends no requests for an unverified user', async () => {
    const { api } = open('/tabs/menu/explore', { session: 'unverified' });
    act(() => side.set('hire'));
    await waitFor(() => expect(api.calls('accounts.me')).toHaveLength(1));
    expect(names()).toContain('Release payment');
    expect(api.calls('businesses.mine')).toHaveLength(0);
    expect(api.calls('conversations.unread')).toHaveLength(0);
  });
});

describe('what the menu marks', () => {
  it.each([
    ['/tabs/menu/explore', '/tabs/menu/explore', 'page'],
    ['/job-desc/42', '/tabs/menu/explore', 'true'],
    ['/withdraw', '/withdraw', 'page'],
    ['/user-transaction', '/withdraw', 'true'],
    ['/notification-settings', '/notifications', 'true'],
    ['/change-password', '/tabs/menu/account', 'true'],
  ])('%s belongs to %s', (path, entry, mark) => {
    open(path, { session: 'worker' });
    expect(marked()).toEqual([[entry, mark]]);
  });

  it('nothing on an unknown page', () => {
    open('/no/such/page', { session: 'worker' });
    expect(marked()).toEqual([]);
  });
});

describe('the two sides', () => {
  it('store the selection, and arrow keys change it with the focus on it', async () => {
    open('/tabs/menu/explore');
    const choice = screen.getByRole('radiogroup', { name: "What you're here for" });
    const option = (name: string) => within(choice).getByRole('radio', { name });
    expect(option('Work').getAttribute('aria-checked')).toBe('true');
    option('Work').focus();
    await act(async () => void fireEvent.keyDown(option('Work'), { key: 'ArrowRight' }));
    expect([side.get(), document.activeElement]).toEqual(['hire', option('Hire')]);
    expect(marked()).toEqual([['/tabs/menu/business', 'page']]);
    expect(names()).toContain('Applicants');
  });

  it.each([false, true])('lead to their home (drawer: %s)', async (drawer) => {
    open('/withdraw', { drawer });
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Hire' })));
    expect(marked()).toEqual([['/tabs/menu/business', 'page']]);
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Work' })));
    expect(marked()).toEqual([['/tabs/menu/explore', 'page']]);
  });
});
