import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, type Ref, useImperativeHandle } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { leila } from '../../../test/people.fixtures.ts';
import { address, goBack, renderApp } from '../../../test/render-app.tsx';
import { conversationRoom } from '../messages/message-store.api.ts';
import { sampleConversation, sampleId, sampleMessage } from './conversations.fixtures.ts';

// Without a measurable window no line would be rendered.
vi.mock('virtua', () => ({
  Virtualizer: ({ ref, data, children }: Drawn) => {
    useImperativeHandle(ref, () => ({
      scrollToIndex: () => {},
      findItemIndex: () => 0,
      scrollOffset: 0,
      viewportSize: 0,
    }));
    return <>{data.map((item, index) => children(item, index))}</>;
  },
}));
type Drawn = {
  ref: Ref<unknown>;
  data: readonly unknown[];
  children: (item: unknown, index: number) => ReactNode;
};

// Each test has its own conversation, because the app keeps them in memory.
let count = 100;
function fresh(change: Partial<Conversation> = {}): Conversation {
  count += 1;
  const id = sampleId(count);
  return sampleConversation({ id, last: sampleMessage(3, { conversationId: id }), ...change });
}
const messagesOf = (conversation: Conversation, change: Partial<Message> = {}): Message[] =>
  [1, 2, 3].map((seq) => sampleMessage(seq, { conversationId: conversation.id, ...change }));

function open(
  conversations: Conversation[],
  api: Handlers = {},
  options: { path?: string; width?: number } = {},
) {
  const messagesById = new Map(
    conversations.map((conversation) => [conversation.id, messagesOf(conversation)]),
  );
  const find = (id: string) =>
    conversations.find((conversation) => conversation.id === id) ?? sampleConversation();
  const rendered = renderApp(options.path ?? '/tabs/menu/messages', {
    session: 'worker',
    now: '2026-11-20T10:00:00Z',
    width: options.width || undefined,
    api: {
      'conversations.list': ({ side, unread }) => ({
        items:
          side === 'hire' ? [] : conversations.filter((conversation) => !unread || conversation.unread > 0),
        nextCursor: null,
        unread: 0,
        found: [],
      }),
      'conversations.get': ({ conversationId }) => find(conversationId),
      'conversations.messages': ({ conversationId, since }) => {
        const all = messagesById.get(conversationId) ?? [];
        const rev = all.length;
        return {
          items: all.filter((message) => since === undefined || message.rev > since),
          more: false,
          rev,
          lastSeq: rev,
        };
      },
      'conversations.acknowledge': ({ items }) => ({ conversations: items.length }),
      'conversations.quickReplies': { items: [] },
      'conversations.settings': { showsTyping: true, showsLastSeen: true, showsRead: true },
      'messages.send': (input) => {
        const all = messagesById.get(input.conversationId) ?? [];
        const seq = all.length + 1;
        const sent = sampleMessage(seq, {
          conversationId: input.conversationId,
          clientId: input.clientId,
          body: input.body,
          from: { accountId: leila.id, side: 'worker', name: leila.name, photoPath: null },
        });
        messagesById.set(input.conversationId, [...all, sent]);
        return sent;
      },
      ...api,
    },
  });
  return { ...rendered, messagesById };
}
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /message/i });
async function write(text: string): Promise<void> {
  fireEvent.change(await field(), { target: { value: text } });
  fireEvent.click(await screen.findByRole('button', { name: 'Send' }));
}

describe('the list of conversations', () => {
  it('requires a verified user, and explains itself to others', async () => {
    const guest = renderApp('/tabs/menu/messages');
    expect(await screen.findByRole('link', { name: 'Log in' })).toBeTruthy();
    guest.unmount();
    renderApp('/tabs/menu/messages', { session: 'unverified' });
    expect(await screen.findByText('Verify your email first')).toBeTruthy();
  });

  it('shows with whom, about what, the last message and the unread count', async () => {
    const conversation = fresh({ unread: 2, online: true, muted: true });
    open([conversation]);
    const link = await screen.findByRole('link', { name: /Kopi & Crumb/ });
    expect(link.textContent).toMatch(/Weekend barista/);
    expect(link.textContent).toContain('Message 3');
    expect(within(link).getByText('2 unread')).toBeTruthy();
    expect(within(link).getByLabelText('Muted')).toBeTruthy();
  });

  it('links to jobs when empty', async () => {
    open([]);
    expect(await screen.findByText('No conversations yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Find work nearby' })).toBeTruthy();
  });

  it('searches when typing pauses, and clears everything at once', async () => {
    const { api } = open([fresh()], {
      'conversations.list': ({ search }) => ({
        items: search ? [] : [sampleConversation()],
        nextCursor: null,
        unread: 0,
        found: [],
      }),
    });
    const input = await screen.findByRole('searchbox', { name: 'Search in messages' });
    for (const value of ['p', 'pl', 'plumber']) fireEvent.change(input, { target: { value } });
    expect(await screen.findByText('Nothing found')).toBeTruthy();
    const searches = api.inputs('conversations.list').map(({ search }) => search);
    expect(new Set(searches)).toEqual(new Set([undefined, 'plumber']));
    await press('Show all conversations');
    expect(await screen.findByRole('link', { name: /Kopi & Crumb/ })).toBeTruthy();
  });

  it('shows an error with a retry, and stays readable without a network', async () => {
    const { api } = open([], {
      'conversations.list': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your messages")).toBeTruthy();
    api.on({
      'conversations.list': { items: [fresh()], nextCursor: null, unread: 0, found: [] },
    });
    await press('Try again');
    await screen.findByRole('link', { name: /Kopi & Crumb/ });
    setOnline(api, false);
    fireEvent.click(screen.getByRole('button', { name: 'Unread' }));
    await press('All');
    expect(await screen.findByRole('link', { name: /Kopi & Crumb/ })).toBeTruthy();
  });

  it('supports the arrow keys, from the search and back to it', async () => {
    open([fresh(), fresh({ business: { id: sampleId(9), name: 'Hotel Brouwers', logoPath: null } })]);
    const first = await screen.findByRole('link', { name: /Kopi & Crumb/ });
    const second = screen.getByRole('link', { name: /Hotel Brouwers/ });
    const input = screen.getByRole('searchbox');
    input.focus();
    fireEvent.keyDown(input, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(first);
    fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(second);
    fireEvent.keyDown(second, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(second);
    fireEvent.keyDown(second, { key: 'ArrowUp' });
    fireEvent.keyDown(first, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(input);
  });

  it('refetches when the server signals a message in another conversation', async () => {
    const conversation = fresh();
    const { api, messagesById } = open([conversation]);
    await screen.findByRole('link', { name: /Kopi & Crumb/ });
    messagesById.set(conversation.id, [
      ...messagesOf(conversation),
      sampleMessage(4, { conversationId: conversation.id, body: 'Are you free?' }),
    ]);
    const before = api.calls('conversations.list').length;
    signal({ kind: 'message', conversationId: conversation.id, rev: 4, seq: 4 });
    await waitFor(() => expect(api.calls('conversations.list').length).toBeGreaterThan(before));
    await waitFor(() =>
      expect(api.inputs('conversations.acknowledge').flatMap(({ items }) => items)).toContainEqual({
        conversationId: conversation.id,
        deliveredSeq: 4,
      }),
    );
  });
});

describe('a conversation on a phone', () => {
  it('opens from the list, is read, and Back returns to the list', async () => {
    const conversation = fresh({ unread: 1, readSeq: 2 });
    const { api } = open([conversation]);
    fireEvent.click(await screen.findByRole('link', { name: /Kopi & Crumb/ }));
    expect(await screen.findByText('Message 2')).toBeTruthy();
    expect(address()).toBe(`/chat?c=${conversation.id}`);
    await goBack();
    expect(address()).toBe('/tabs/menu/messages');
    expect(api.calls('conversations.messages').length).toBeGreaterThan(0);
  });

  it('sends the text once, and empties the field', async () => {
    const conversation = fresh();
    const { api } = open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    fireEvent.change(await field(), { target: { value: 'Yes, at nine' } });
    const send = await screen.findByRole('button', { name: 'Send' });
    fireEvent.click(send);
    fireEvent.click(send);
    expect(await screen.findByText('Yes, at nine')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Sending')).toBeNull());
    expect((await field()).value).toBe('');
    const [call, ...more] = api.calls('messages.send');
    expect(more).toEqual([]);
    expect(call?.idempotencyKey).toBe(call?.input.clientId);
  });

  it('keeps the text without a network, and sends it in order when it is back', async () => {
    const conversation = fresh();
    const { api } = open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    setOnline(api, false);
    await write('First');
    await write('Second');
    expect(await screen.findAllByText('Waiting for a connection')).toHaveLength(2);
    expect(api.calls('messages.send')).toEqual([]);
    setOnline(api, true);
    await waitFor(() =>
      expect(api.inputs('messages.send').map(({ body }) => body)).toEqual(['First', 'Second']),
    );
    await waitFor(() => expect(screen.queryByText('Waiting for a connection')).toBeNull());
  });

  it("shows that a message is queued when the device is online but the network isn't", async () => {
    const conversation = fresh();
    const { api } = open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    api.reachable = false;
    await write('First');
    expect(await screen.findByText('Waiting for a connection')).toBeTruthy();
    expect(screen.queryByText('Sending')).toBeNull();
    vi.setSystemTime('2026-11-20T10:05:00Z');
    setOnline(api, false);
    setOnline(api, true);
    await waitFor(() => expect(api.inputs('messages.send').map(({ body }) => body)).toEqual(['First']));
    await waitFor(() => expect(screen.queryByText('Waiting for a connection')).toBeNull());
  });

  it('resends a lost message under the same key, and shows it once', async () => {
    const conversation = fresh();
    const { api } = open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    let tries = 0;
    api.on({
      'messages.send': ({ conversationId, clientId, body }) => {
        tries += 1;
        if (tries === 1) throw networkError();
        return sampleMessage(4, {
          conversationId,
          clientId,
          body,
          from: { accountId: leila.id, side: 'worker', name: leila.name, photoPath: null },
        });
      },
    });
    await write('On my way');
    await waitFor(() => expect(tries).toBe(1));
    vi.setSystemTime('2026-11-20T10:05:00Z');
    setOnline(api, false);
    setOnline(api, true);
    await waitFor(() => expect(api.calls('messages.send')).toHaveLength(2));
    const keys = api.calls('messages.send').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[1]).toBe(keys[0]);
    await waitFor(() => expect(screen.getAllByText('On my way')).toHaveLength(1));
  });

  it('shows why a message was rejected, and resends or deletes it', async () => {
    const conversation = fresh();
    const { api } = open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    api.on({
      'messages.send': () => {
        throw refuse('chat/blocked');
      },
    });
    await write('Hello?');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Not sent.');
    fireEvent.click(within(alert).getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(api.calls('messages.send')).toHaveLength(2));
    fireEvent.click(within(await screen.findByRole('alert')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText('Hello?')).toBeNull());
  });

  it('keeps a draft for a later visit, and shows it in the list', async () => {
    const conversation = fresh();
    open([conversation]);
    fireEvent.click(await screen.findByRole('link', { name: /Kopi & Crumb/ }));
    fireEvent.change(await field(), { target: { value: 'I could come at' } });
    await goBack();
    const link = await screen.findByRole('link', { name: /Kopi & Crumb/ });
    await waitFor(() => expect(link.textContent).toContain('Draft:I could come at'));
    fireEvent.click(link);
    expect((await field()).value).toBe('I could come at');
  });

  it.each([
    [{ state: 'frozen' } as const],
    [{ state: 'read_only', readOnlyAt: '2026-11-19T10:00:00Z' } as const],
    [{ state: 'blocked', blockedBy: 'them' } as const],
  ])('is read-only when it is closed: %j', async (change) => {
    const conversation = fresh(change);
    open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    expect(await screen.findByText('Message 3')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /message/i })).toBeNull();
  });

  it('of someone else shows an error with a way back', async () => {
    open(
      [],
      {
        'conversations.get': () => {
          throw refuse('chat/not-found');
        },
        'conversations.messages': () => {
          throw refuse('chat/not-found');
        },
      },
      { path: `/chat?c=${sampleId(77)}` },
    );
    expect(await screen.findByText("We couldn't open this conversation")).toBeTruthy();
  });

  it("that was never opened shows the list's data without a network", async () => {
    const conversation = fresh({ online: true });
    const { api } = open([conversation]);
    await screen.findByRole('link', { name: /Kopi & Crumb/ });
    signal({ kind: 'message', conversationId: conversation.id, rev: 3, seq: 3 });
    await waitFor(() => expect(conversationRoom(conversation.id).updatedAt).toBeGreaterThan(0));
    expect(screen.getByText('online')).toBeTruthy();
    setOnline(api, false);
    expect(screen.queryByText('online')).toBeNull();
    const ofList = screen.getAllByText(/^Last updated:/).length;
    fireEvent.click(screen.getByRole('link', { name: /Kopi & Crumb/ }));
    expect(await screen.findByText('Message 2')).toBeTruthy();
    await waitFor(() => expect(screen.getAllByText(/^Last updated:/).length).toBeGreaterThan(ofList));
    const failed = screen.findByText("We couldn't open this conversation", {}, { timeout: 500 });
    await expect(failed).rejects.toThrow();
    expect(screen.getByText('Message 2')).toBeTruthy();
  });

  it("shows the other side's message on the server's signal", async () => {
    const conversation = fresh();
    const { messagesById } = open([conversation], {}, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    messagesById.set(conversation.id, [
      ...messagesOf(conversation),
      sampleMessage(4, { conversationId: conversation.id, body: 'See you then' }),
    ]);
    signal({ kind: 'message', conversationId: conversation.id, rev: 4, seq: 4 });
    expect(await screen.findByText('See you then')).toBeTruthy();
  });

  it('opens by the job of a link, and then has a separate address', async () => {
    const conversation = fresh();
    const { api } = open(
      [conversation],
      { 'conversations.open': conversation },
      { path: `/chat?job=${conversation.job.id}` },
    );
    expect(await screen.findByText('Message 3')).toBeTruthy();
    expect(address()).toBe(`/chat?c=${conversation.id}`);
    expect(api.calls('conversations.open')).toHaveLength(1);
  });
});

describe('the menu of a conversation', () => {
  async function openMenu(conversation: Conversation, api: Handlers = {}) {
    const rendered = open([conversation], api, { path: `/chat?c=${conversation.id}` });
    await screen.findByText('Message 3');
    await press(/options|more|conversation/i);
    return { ...rendered, sheet: within(await screen.findByRole('dialog', { name: 'Kopi & Crumb' })) };
  }

  it('confirms before it blocks, and blocks once', async () => {
    const conversation = fresh();
    const { api, sheet } = await openMenu(conversation, {
      'conversations.block': { ...conversation, state: 'blocked', blockedBy: 'you' },
    });
    fireEvent.click(sheet.getByRole('button', { name: 'Block Kopi & Crumb' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Block Kopi & Crumb?' });
    const yes = within(alert).getByRole('button', { name: 'Block Kopi & Crumb' });
    api.on({ 'conversations.get': { ...conversation, state: 'blocked', blockedBy: 'you' } });
    fireEvent.click(yes);
    fireEvent.click(yes);
    expect(await screen.findByText('Kopi & Crumb is blocked')).toBeTruthy();
    expect(api.inputs('conversations.block')).toEqual([{ conversationId: conversation.id, blocked: true }]);
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /message/i })).toBeNull());
  });

  it('shows that muting failed', async () => {
    const conversation = fresh();
    const { sheet } = await openMenu(conversation, {
      'conversations.mute': () => {
        throw networkError();
      },
    });
    fireEvent.click(sheet.getByRole('button', { name: /^Mute/ }));
    expect(await screen.findByText(/reach|connection/i)).toBeTruthy();
  });

  it('switches visibility at once, and shows the actual state when one of two was rejected', async () => {
    const conversation = fresh();
    let saved = { showsTyping: true, showsLastSeen: true, showsRead: true };
    let refused: (reason: Error) => void = () => {};
    const { api, sheet } = await openMenu(conversation, { 'conversations.settings': () => saved });
    fireEvent.click(sheet.getByRole('button', { name: /What others can see/ }));
    const settings = within(await screen.findByRole('dialog', { name: 'What others can see' }));
    const checked = (name: string) => settings.getByRole<HTMLInputElement>('switch', { name }).checked;
    api.on({ 'conversations.saveSettings': () => new Promise((_, reject) => (refused = reject)) });
    fireEvent.click(await settings.findByRole('switch', { name: "When I'm typing" }));
    await waitFor(() => expect(checked("When I'm typing")).toBe(false));
    await waitFor(() => expect(api.calls('conversations.saveSettings')).toHaveLength(1));
    api.on({ 'conversations.saveSettings': (next) => (saved = next) });
    fireEvent.click(settings.getByRole('switch', { name: "What I've read" }));
    await waitFor(() => expect(saved).toEqual({ showsTyping: false, showsLastSeen: true, showsRead: false }));
    refused(networkError());
    expect(await screen.findByText(/reach|connection/i)).toBeTruthy();
    await waitFor(() => expect(checked("What I've read")).toBe(false));
    expect(checked("When I'm typing")).toBe(false);
  });
});

describe('messages on a desktop', () => {
  it('appear next to the list, and a selected one can be written in at once', async () => {
    const conversation = fresh();
    const other = fresh({ business: { id: sampleId(9), name: 'Hotel Brouwers', logoPath: null } });
    open([conversation, other], { 'notifications.list': never, 'interviews.mine': never }, { width: 1280 });
    expect(await screen.findByText('Select a conversation')).toBeTruthy();
    const link = await screen.findByRole('link', { name: /Hotel Brouwers/ });
    link.focus();
    fireEvent.click(link);
    expect(
      await screen.findByRole('complementary', { name: 'Conversation with Hotel Brouwers' }),
    ).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'));
    expect(screen.getByRole('link', { name: /Kopi & Crumb/ })).toBeTruthy();
  });
});
