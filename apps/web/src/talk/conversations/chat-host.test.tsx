import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/api/query.ts';
import { realtimePort, setOpenConversation } from '../../lib/realtime/realtime.ts';
import { session } from '../../lib/session.ts';
import { sampleConversationId, sampleId, sampleMessage } from './conversations.fixtures.ts';

const refetchChats = vi.hoisted(() => vi.fn());
const updateCachedConversation = vi.hoisted(() => vi.fn());
const readMessages = vi.hoisted(() => vi.fn());
vi.mock('./conversations.api.ts', () => ({
  refetchChats,
  updateCachedConversation,
  readMessages,
  acknowledge: vi.fn().mockResolvedValue({ conversations: 1 }),
  sendMessage: vi.fn(),
}));
vi.mock(
  '../../lib/device/indexed-db-store.ts',
  () => import('../../lib/device/indexed-db-store.fixtures.ts'),
);
const { default: ChatHost } = await import('./chat-host.tsx');

const renderHost = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <ChatHost />
    </QueryClientProvider>,
  );

beforeEach(() => {
  vi.useFakeTimers();
  refetchChats.mockClear();
  readMessages.mockResolvedValue({ items: [sampleMessage(1)], more: false, rev: 1, lastSeq: 1 });
  session.start({
    user: { id: 'leila', email: 'leila@example.test', emailVerified: true, name: 'Leila' },
    accessToken: 't',
  });
  renderHost();
});
afterEach(() => {
  cleanup();
  realtimePort.connected(false);
  setOpenConversation(null);
  session.clear();
  vi.useRealTimers();
});

const receive = (conversationId: string) =>
  act(() => realtimePort.receive([{ kind: 'message', conversationId, seq: 1, rev: 1 }]));
const askedIds = () => refetchChats.mock.calls.map(([id]) => id);

it('refetches lists and badges soon after a message in a closed conversation', async () => {
  receive(sampleId(8));
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(askedIds()).toEqual([sampleId(8)]);
});

it("waits for an open conversation to be read, so it isn't briefly unread; the list shows the message at once", async () => {
  setOpenConversation(sampleConversationId);
  receive(sampleConversationId);
  await act(() => vi.advanceTimersByTimeAsync(900));
  expect(askedIds()).toEqual([]);
  const [id, change] = updateCachedConversation.mock.calls[0] ?? [];
  expect(id).toBe(sampleConversationId);
  expect(change({ lastSeq: 0, last: null })).toMatchObject({ lastSeq: 1, last: { body: 'Message 1' } });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(askedIds()).toEqual([sampleConversationId]);
});

it('refetches what changed before it loaded, when the socket connected first', () => {
  expect(askedIds()).toEqual([]);
  cleanup();
  realtimePort.connected(true);
  renderHost();
  expect(askedIds()).toEqual([undefined]);
});
