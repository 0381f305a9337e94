import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, type Ref, useImperativeHandle } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/api/query.ts';
import { session } from '../../lib/session.ts';
import { ConversationSlotsProvider } from '../conversations/conversation-slots.tsx';
import { sampleConversation, sampleMessage } from '../conversations/conversations.fixtures.ts';
import { SystemLineRow } from './message-list.tsx';
import { Thread } from './thread.tsx';

const readMessages = vi.hoisted(() => vi.fn());
const scrolledTo = vi.hoisted(() => vi.fn());
vi.mock('../conversations/conversations.api.ts', () => ({
  acknowledge: vi.fn().mockResolvedValue({}),
  refetchChats: vi.fn(),
  updateCachedConversation: vi.fn(),
  readMessages,
  useQuickReplies: () => ({ data: undefined }),
}));
vi.mock('./messages.api.ts', () => ({ sendMessage: () => new Promise(() => {}) }));
vi.mock('../outbox/attach-sheet.tsx', () => ({ AttachSheet: () => null }));
vi.mock('./message-menu.tsx', () => ({ MessageMenu: () => null }));
const AnOffer = () => <p>an offer</p>;
vi.mock(
  '../../lib/device/indexed-db-store.ts',
  () => import('../../lib/device/indexed-db-store.fixtures.ts'),
);
// Without a measurable window no line would be rendered.
const list = vi.hoisted(() => ({ onScroll: () => {}, onResize: () => {} }));
vi.mock('virtua', () => ({
  Virtualizer: ({ ref, data, children, onScroll, onResize }: Drawn) => {
    Object.assign(list, { onScroll, onResize });
    useImperativeHandle(ref, () => ({
      scrollToIndex: scrolledTo,
      findItemIndex: () => 0,
      scrollOffset: 0,
      viewportSize: 0,
    }));
    // Without scrolling, earlier parts would load endlessly.
    const visibleCount = Math.min(data.length, 100);
    return (
      <>
        {data.slice(-visibleCount).map((item, index) => children(item, data.length - visibleCount + index))}
      </>
    );
  },
}));
type Drawn = {
  ref: Ref<unknown>;
  data: readonly unknown[];
  children: (item: unknown, index: number) => ReactNode;
  onScroll: () => void;
  onResize: () => void;
};

const total = 10_000;
const onBack = vi.fn();

beforeAll(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  configure({ asyncUtilTimeout: 20_000 });
});
beforeEach(() => {
  vi.clearAllMocks();
  session.start({
    user: { id: 'leila', email: 'leila@example.test', emailVerified: true, name: 'Leila' },
    accessToken: 't',
  });
  readMessages.mockImplementation(
    async ({ before = total + 1, since, limit }: { before?: number; since?: number; limit: number }) => ({
      items:
        since === undefined
          ? Array.from({ length: limit }, (_, index) => sampleMessage(before - limit + index))
          : [],
      more: since === undefined,
      rev: total,
      lastSeq: total,
    }),
  );
});
afterEach(() => {
  queryClient.clear();
  cleanup();
  session.clear();
});

const thread = (at: number | null) => (
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Thread
          conversation={sampleConversation({ lastSeq: total, rev: total, readSeq: total })}
          at={at === null ? null : { seq: at, key: `at ${at}` }}
          onBack={onBack}
        />
      </MemoryRouter>
    </QueryClientProvider>
  </I18nProvider>
);
const write = (text: string) => {
  const field = screen.getByRole('textbox');
  fireEvent.change(field, { target: { value: text } });
  return field;
};

it('shows a message sent from far back, under the newest message', async () => {
  render(thread(5_000));
  await screen.findByText('Message 5000');
  write('Yes, at nine');
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Yes, at nine');
  expect(screen.getByText(`Message ${total}`)).toBeDefined();
});

it('shows a message written offline far back in place, and moves to the newest with the network', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const network = (there: boolean) => {
    onLine.mockReturnValue(there);
    fireEvent(window, new Event(there ? 'online' : 'offline'));
  };
  const answers = readMessages.getMockImplementation() as () => unknown;
  render(thread(5_000));
  await screen.findByText('Message 5000');
  readMessages.mockRejectedValue(new TypeError('no network'));
  network(false);
  write('Sent from the cellar');
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Sent from the cellar');
  expect(screen.getByText('Waiting for a connection')).toBeDefined();
  expect(screen.getByText("Newer messages haven't loaded yet")).toBeDefined();
  expect(screen.getByText('Message 5000')).toBeDefined();
  readMessages.mockImplementation(answers);
  network(true);
  await screen.findByText(`Message ${total}`);
  expect(screen.getByText('Sent from the cellar')).toBeDefined();
  expect(screen.queryByText("Newer messages haven't loaded yet")).toBeNull();
  onLine.mockRestore();
});

it("doesn't keep requesting an unavailable earlier part, and retries when the server responds again", async () => {
  const answers = readMessages.getMockImplementation() as () => unknown;
  readMessages.mockImplementationOnce(answers).mockRejectedValue(new TypeError('no network'));
  render(thread(null));
  await screen.findByText(`Message ${total}`);
  await waitFor(() => expect(readMessages).toHaveBeenCalledTimes(2));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(readMessages).toHaveBeenCalledTimes(2);
  readMessages.mockImplementation(answers);
  fireEvent(window, new Event('online'));
  await screen.findByText(`Message ${total - 60}`);
});

it('moves to the newest when the open conversation is selected again without a place', async () => {
  const { rerender } = render(thread(5_000));
  await screen.findByText('Message 5000');
  expect(screen.queryByText(`Message ${total}`)).toBeNull();
  rerender(thread(null));
  await screen.findByText(`Message ${total}`);
  await waitFor(() => expect(scrolledTo).toHaveBeenLastCalledWith(59, { align: 'end' }));
});

it('keeps the end in view while lines are measured, and stops when the user scrolls up', async () => {
  render(thread(null));
  await screen.findByText(`Message ${total}`);
  const box = screen.getByRole('log');
  const moved = (scrollTop: number, scrollHeight: number) => {
    for (const [name, value] of Object.entries({ scrollTop, scrollHeight, clientHeight: 600 }))
      Object.defineProperty(box, name, { configurable: true, value });
    act(() => list.onScroll());
    scrolledTo.mockClear();
    act(() => list.onResize());
  };
  moved(2_000, 2_600);
  expect(scrolledTo).toHaveBeenCalled();
  // The lines above are shorter than estimated; the newly sent line is taller.
  moved(1_940, 2_690);
  expect(scrolledTo).toHaveBeenCalledWith(expect.any(Number), { align: 'end' });
  moved(1_900, 2_690);
  expect(scrolledTo).not.toHaveBeenCalled();
});

it("offers quick replies once this side's silence is certain, not while loading", async () => {
  const answers = readMessages.getMockImplementation() as (request: object) => unknown;
  let finish: () => void = () => {};
  readMessages.mockImplementationOnce(
    (request: object) => new Promise((resolve) => (finish = () => resolve(answers(request)))),
  );
  render(thread(null));
  expect(screen.getByRole('textbox')).toBeDefined();
  await waitFor(() => expect(readMessages).toHaveBeenCalledOnce());
  expect(screen.queryByRole('group', { name: 'Quick replies' })).toBeNull();
  finish();
  expect(await screen.findByRole('group', { name: 'Quick replies' })).toBeDefined();
});

it('shows who wrote each line, when, and what', async () => {
  render(thread(null));
  await screen.findByText(`Message ${total}`);
  const line = screen.getAllByRole('article').at(-1);
  expect(line?.getAttribute('aria-label')).toMatch(/^Nadia Rahmani, \d/);
  const words = document.getElementById(line?.getAttribute('aria-describedby') ?? '');
  expect(words?.textContent).toContain(`Message ${total}`);
});

it('closes with Escape, but not during text composition, and keeps unsent files', async () => {
  render(thread(null));
  await screen.findByText(`Message ${total}`);
  const field = write('');
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(onBack).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onBack).toHaveBeenCalledOnce();
  const file = new File(['%PDF-1.7 1 0 obj %%EOF'], 'certificate.pdf', { type: 'application/pdf' });
  fireEvent.paste(field, { clipboardData: { files: [file] } });
  await screen.findByText('certificate.pdf');
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onBack).toHaveBeenCalledTimes(2);
  cleanup();
  render(thread(null));
  await screen.findByText('certificate.pdf');
  fireEvent.click(screen.getByRole('button', { name: 'Remove certificate.pdf' }));
  cleanup();
  render(thread(null));
  await screen.findByText(`Message ${total}`);
  expect(screen.queryByText('certificate.pdf')).toBeNull();
});

it('draws an offer at once, since a lazily loaded part could reload the page', () => {
  const message = sampleMessage(1, {
    kind: 'system',
    from: null,
    body: '',
    system: { line: 'offer-sent', data: {}, path: null },
  });
  render(
    <I18nProvider i18n={i18n}>
      <ConversationSlotsProvider value={{ Offer: AnOffer }}>
        <SystemLineRow message={message} conversation={sampleConversation()} newestOffer />
      </ConversationSlotsProvider>
    </I18nProvider>,
  );
  expect(screen.getByText('an offer')).toBeDefined();
});

it('keeps a photo open whose message disappears as new ones arrive', async () => {
  const file = {
    id: 'door',
    purpose: 'chat' as const,
    path: '/files/door',
    name: 'door.png',
    mediaType: 'image/png',
    bytes: 5,
  };
  const withPhoto = { ...sampleMessage(total), files: [file] };
  let newest = total;
  readMessages.mockImplementation(async ({ since }: { since?: number }) => ({
    items: since === undefined ? [withPhoto] : Array.from({ length: 100 }, () => sampleMessage(++newest)),
    more: since === undefined,
    rev: newest,
    lastSeq: newest,
  }));
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  render(thread(total));
  fireEvent.click(await screen.findByRole('button', { name: /door\.png/ }));
  await screen.findByRole('dialog', { name: /^Photo from/ });
  fireEvent(document, new Event('visibilitychange'));
  await screen.findByText(`Message ${total + 100}`);
  expect(screen.queryByRole('button', { name: /photo.*door\.png/i })).toBeNull();
  expect(screen.getByRole('dialog', { name: /^Photo from/ })).toBeDefined();
});
