import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useChooseNotifications } from '../notification-settings/notification-settings.api.ts';
import { sampleSettings } from '../notification-settings/settings.fixtures.ts';
import type { SettingsChange } from '../notification-settings/settings.rules.ts';
import { useOpenNotification, useReadNotifications } from './notifications.api.ts';
import { sampleNotice } from './notifications.fixtures.ts';

const ids = ['0193aaaa-0000-7000-8000-0000000000e1', '0193aaaa-0000-7000-8000-0000000000e2'] as const;
const [first, second] = ids;
const inboxKey = apiQuery.notifications.list.infiniteKey({
  input: (cursor: string | undefined) => (cursor ? { cursor } : {}),
  initialPageParam: undefined,
});
const waitingKey = apiQuery.notifications.list.queryKey({ input: { waiting: 'true', limit: 50 } });
const settingsKey = apiQuery.notificationSettings.get.queryKey();

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);
const respond = vi.fn(async (_request: Request): Promise<Response> => Response.json({}));

beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('fetch', respond);
  const page = {
    items: ids.map((id) => sampleNotice({ id, waiting: true })),
    unread: 5,
    nextCursor: null,
  };
  queryClient.setQueryData(inboxKey, { pages: [page], pageParams: [undefined] });
  queryClient.setQueryData(waitingKey, page);
  queryClient.setQueryData(settingsKey, sampleSettings());
});
afterEach(() => {
  vi.unstubAllGlobals();
  respond.mockReset();
});

type Page = { items: { id: string; readAt: string | null; waiting: boolean }[]; unread: number };
const inbox = () => (queryClient.getQueryData(inboxKey) as { pages: Page[] } | undefined)?.pages[0] as Page;
const waits = () => queryClient.getQueryData(waitingKey) as Page;
const failed = () => Promise.reject(new TypeError('Failed to fetch'));

describe('notifications.read', () => {
  it('appears in every list at once, with the count', async () => {
    respond.mockImplementation(() => new Promise(() => {}));
    const { result } = renderHook(() => useReadNotifications(), { wrapper });
    act(() => result.current.mutate({ ids: [first] }));
    await waitFor(() => expect(inbox().unread).toBe(4));
    expect(inbox().items.map(({ readAt }) => readAt !== null)).toEqual([true, false]);
    expect(waits().items[0]?.readAt).toBeTruthy();
    expect(waits().unread).toBe(4);
  });

  it('is reverted when the server is unreachable', async () => {
    respond.mockImplementation(failed);
    const { result } = renderHook(() => useReadNotifications(), { wrapper });
    act(() => result.current.mutate({ ids: 'all' }));
    await waitFor(() => expect(result.current.isError).toBe(true));
    expect(inbox().unread).toBe(5);
    expect(inbox().items.every(({ readAt }) => readAt === null)).toBe(true);
  });
});

describe('notifications.open', () => {
  it('marks the opened one as read; the server returns whether it is still pending', async () => {
    respond.mockImplementation(() => new Promise(() => {}));
    const { result } = renderHook(() => useOpenNotification(), { wrapper });
    act(() => result.current.mutate({ notificationId: second }));
    await waitFor(() => expect(inbox().items.map(({ readAt }) => readAt !== null)).toEqual([false, true]));
    expect(waits().items.map(({ waiting }) => waiting)).toEqual([true, true]);
  });
});

describe('a group of notices', () => {
  it('opens at its newest, with a count that excludes messages', async () => {
    respond.mockImplementation(() => new Promise(() => {}));
    const group = 'application-received:/job-applicants/1';
    const at = (minute: number) => `2026-11-21T09:0${minute}:00.000Z`;
    const id = (n: number) => `0193aaaa-0000-7000-8000-00000000000${n}`;
    const items = [
      sampleNotice({ id: id(4), group, createdAt: at(4) }),
      sampleNotice({ id: id(3), group, createdAt: at(3) }),
      sampleNotice({ id: id(2), group, createdAt: at(2) }),
      sampleNotice({ id: id(1), topic: 'message-received', group: 'chat:1', createdAt: at(1) }),
    ];
    queryClient.setQueryData(inboxKey, {
      pages: [{ items, unread: 3, nextCursor: null }],
      pageParams: [undefined],
    });
    const open = renderHook(() => useOpenNotification(), { wrapper });
    act(() => open.result.current.mutate({ notificationId: id(3) }));
    await waitFor(() => expect(inbox().unread).toBe(1));
    expect(inbox().items.map(({ readAt }) => readAt !== null)).toEqual([false, true, true, false]);
    const read = renderHook(() => useReadNotifications(), { wrapper });
    act(() => read.result.current.mutate({ ids: [id(1)] }));
    await waitFor(() => expect(inbox().items[3]?.readAt).not.toBeNull());
    expect(inbox().unread).toBe(1);
  });
});

describe('notificationSettings.update', () => {
  const change = (choice: 'on' | 'off', topic = 'application-viewed'): SettingsChange =>
    ({ topics: [{ topic, channel: 'push', choice }] }) as SettingsChange;
  const push = (topic = 'application-viewed') =>
    (queryClient.getQueryData(settingsKey) as ReturnType<typeof sampleSettings>).topics.find(
      (choice) => choice.topic === topic,
    )?.choice.push;

  it('appears at once, and is reverted alone when it is rejected', async () => {
    let refuse: (reason: unknown) => void = () => {};
    respond.mockImplementationOnce(() => new Promise((_, reject) => (refuse = reject)));
    respond.mockImplementation(() => new Promise(() => {}));
    const { result } = renderHook(() => useChooseNotifications(), { wrapper });
    const onError = vi.fn();
    act(() => result.current.choose(change('off'), onError));
    act(() => result.current.choose(change('off', 'application-rejected'), vi.fn()));
    await waitFor(() => expect([push(), push('application-rejected')]).toEqual(['off', 'off']));
    expect(respond).toHaveBeenCalledTimes(1);
    act(() => refuse(new TypeError('Failed to fetch')));
    await waitFor(() => expect(push()).toBe('on'));
    expect(push('application-rejected')).toBe('off');
  });
});
