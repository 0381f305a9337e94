import type { Notification } from '@nearhand/contract/talk/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { sampleNotice } from './notifications.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const page = (items: Notification[], nextCursor: string | null = null) => ({
  items,
  nextCursor,
  unread: items.filter(({ readAt }) => readAt === null).length,
});
const offer = sampleNotice({
  id: id('e9'),
  topic: 'offer-received',
  data: {
    businessName: 'Hotel Brouwers',
    jobTitle: 'Front desk, evenings',
    side: 'worker',
    expiresAt: '2026-11-22T08:00:00Z',
  },
  waiting: true,
  group: 'offer:1',
});

function open(items: Notification[], api: Handlers = {}) {
  return renderApp('/notifications', {
    session: 'worker',
    now: '2026-11-21T12:00:00Z',
    api: {
      'notifications.list': ({ waiting }) => page(waiting ? items.filter((item) => item.waiting) : items),
      'notifications.read': { unread: 0 },
      'notifications.open': ({ notificationId }) => sampleNotice({ id: notificationId }),
      'applications.get': never,
      ...api,
    },
  });
}

describe('the inbox', () => {
  it('requires a verified user', async () => {
    renderApp('/notifications', { session: 'unverified' });
    await waitFor(() => expect(address()).toBe('/getting-started?next=%2Fnotifications'));
  });

  it('shows what will appear when empty', async () => {
    open([]);
    expect(await screen.findByText('Nothing here yet')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull();
  });

  it('loads, shows an error with a retry, and keeps loaded notices without a network', async () => {
    const { api } = open([], {
      'notifications.list': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your notifications")).toBeTruthy();
    api.on({ 'notifications.list': page([sampleNotice()]) });
    await press('Try again');
    const row = await screen.findByRole('link', { name: /Front desk, evenings/ });
    setOnline(api, false);
    signal({ kind: 'notice' });
    expect(await screen.findByText("You're offline.")).toBeTruthy();
    expect(row.isConnected).toBe(true);
  });

  it('puts those that need a reply first, with their time and action', async () => {
    open([sampleNotice(), offer]);
    const waiting = (await screen.findByRole('heading', { name: 'Waiting for you' })).closest('section');
    expect(waiting?.textContent).toMatch(/20\s?h/);
    expect(screen.getAllByText(/offered you|Offer/i)).toHaveLength(
      within(waiting as HTMLElement).getAllByText(/offered you|Offer/i).length,
    );
  });

  it('shows four pending ones, and the rest on demand', async () => {
    const asks = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) =>
      sampleNotice({ ...offer, id: id(`0${letter}`), group: letter }),
    );
    open(asks);
    const section = (await screen.findByRole('heading', { name: 'Waiting for you' })).closest('section');
    const cards = () => within(section as HTMLElement).getAllByRole('listitem');
    expect(cards()).toHaveLength(4);
    await press('Show 2 more');
    expect(cards()).toHaveLength(6);
  });

  it('groups by day, newest first', async () => {
    open([
      sampleNotice({ createdAt: '2026-11-21T10:04:00Z' }),
      sampleNotice({ id: id('e2'), createdAt: '2026-11-20T10:04:00Z', readAt: '2026-11-20T11:00:00Z' }),
    ]);
    await screen.findByRole('heading', { name: 'Today' });
    const days = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(days).toEqual(['Today', 'Yesterday']);
  });

  it('opens one, marks it read and notifies the server once', async () => {
    const { api } = open([sampleNotice()]);
    const link = await screen.findByRole('link', { name: /Front desk, evenings/ });
    expect(within(link).getByText('Unread')).toBeTruthy();
    fireEvent.click(link);
    await waitFor(() => expect(address()).toBe(sampleNotice().path));
    expect(api.inputs('notifications.open')).toEqual([{ notificationId: sampleNotice().id }]);
  });

  it('skips the server for one that was already read and done', async () => {
    const { api } = open([sampleNotice({ readAt: '2026-11-21T11:00:00Z' })]);
    fireEvent.click(await screen.findByRole('link', { name: /Front desk, evenings/ }));
    await waitFor(() => expect(address()).toBe(sampleNotice().path));
    expect(api.calls('notifications.open')).toEqual([]);
  });

  it.each(['//evil.example/x', 'javascript:alert(1)', '/\\evil.example'])(
    'never links to %s',
    async (path) => {
      open([sampleNotice({ path })]);
      const link = await screen.findByRole('link', { name: /Front desk, evenings/ });
      expect(link.getAttribute('href')).toBe('/notifications');
    },
  );

  it('marks all as read at once, and reverts on failure', async () => {
    const { api } = open([sampleNotice()], { 'notifications.read': never });
    await press('Mark all read');
    await waitFor(() => expect(screen.queryByText('Unread')).toBeNull());
    expect(api.inputs('notifications.read')).toEqual([{ ids: 'all' }]);
  });

  it('reverts the mark when the server is unreachable', async () => {
    open([sampleNotice()], {
      'notifications.read': () => {
        throw networkError();
      },
    });
    await press('Mark all read');
    expect(await screen.findByText(/reach|connection/i)).toBeTruthy();
    expect(await screen.findByText('Unread')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Mark all read' })).toBeTruthy();
  });

  it('groups unread ones into one line with their number', async () => {
    const group = 'application-received:/job-applicants/1';
    const received = (end: string, minute: number) =>
      sampleNotice({
        id: id(end),
        group,
        topic: 'application-received' as const,
        data: { workerName: `Worker ${end}`, jobTitle: 'Weekend barista', side: 'business' },
        path: `/job-applicants/${id('01')}`,
        createdAt: `2026-11-21T10:0${minute}:00Z`,
      });
    open([received('e4', 4), received('e3', 3), received('e2', 2)]);
    await screen.findByRole('heading', { name: 'Today' });
    const rows = screen.getAllByRole('link', { name: /Weekend barista/ });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.textContent).toMatch(/2 (more|others)|3 /);
  });

  it("shows a new one on the server's signal", async () => {
    const { api } = open([]);
    await screen.findByText('Nothing here yet');
    api.on({ 'notifications.list': ({ waiting }) => page(waiting ? [] : [sampleNotice()]) });
    signal({ kind: 'notice' });
    expect(await screen.findByRole('link', { name: /Front desk, evenings/ })).toBeTruthy();
  });

  it('shows further pages on demand', async () => {
    const { api } = open([], {
      'notifications.list': ({ waiting, cursor }) => {
        if (waiting) return page([]);
        return cursor
          ? page([sampleNotice({ id: id('f1'), data: { ...sampleNotice().data, jobTitle: 'Older job' } })])
          : page([sampleNotice()], 'older');
      },
    });
    await press('Show more');
    expect(await screen.findByRole('link', { name: /Older job/ })).toBeTruthy();
    expect(api.inputs('notifications.list').filter(({ cursor }) => cursor)).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('shows the unread count in the menu', async () => {
    const { api } = open([sampleNotice()]);
    await screen.findByRole('link', { name: /Front desk, evenings/ });
    await vi.waitFor(() => expect(api.calls('notifications.list').length).toBeGreaterThan(1));
    expect(api.faults).toEqual([]);
  });
});
