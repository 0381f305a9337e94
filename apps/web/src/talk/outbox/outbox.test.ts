import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { deviceStore } from '../../lib/device/indexed-db-store.ts';
import { session } from '../../lib/session.ts';
import { sampleConversationId, sampleId, sampleMessage } from '../conversations/conversations.fixtures.ts';
import { backoffMs, nextToSend, type Outgoing } from './outbox.rules.ts';

const sendMessage = vi.hoisted(() => vi.fn());
const uploadFile = vi.hoisted(() => vi.fn());
const fakeStore = vi.hoisted(() => new Map<string, unknown>());
vi.mock('../conversations/conversations.api.ts', () => ({ readMessages: vi.fn() }));
vi.mock('../messages/messages.api.ts', () => ({ sendMessage }));
vi.mock('../../lib/forms/upload-file.ts', () => ({ uploadFile }));
vi.mock('../../lib/device/indexed-db-store.ts', () => ({
  deviceStore: {
    get: async (key: string) => fakeStore.get(key),
    set: async (key: string, value: unknown) => void fakeStore.set(key, value),
    del: async (key: string) => void fakeStore.delete(key),
    update: async (key: string, change: (before: unknown) => unknown) =>
      void fakeStore.set(key, change(fakeStore.get(key))),
    clear: async () => fakeStore.clear(),
  },
}));

const {
  dropMessage,
  retryOutbox,
  outgoingMessages,
  postMessage,
  readOutbox: readStored,
  retryMessage,
} = await import('./outbox.api.ts');

const account = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: true, name: id });
const words = (body: string, conversationId = sampleConversationId) => ({
  conversationId,
  body,
  replyTo: null,
  files: [],
});
const sent = () => sendMessage.mock.calls.map(([input]) => input.body);
let seq = 0;

beforeEach(() => {
  seq = 0;
  sendMessage.mockReset().mockImplementation(async (input) => {
    seq += 1;
    return sampleMessage(seq, { clientId: input.clientId, body: input.body });
  });
  uploadFile.mockReset().mockResolvedValue({ id: sampleId(77) });
  session.start({ user: account('leila'), accessToken: 't' });
});
afterEach(async () => {
  for (const { clientId } of outgoingMessages()) await dropMessage(clientId);
  session.clear();
  fakeStore.clear();
});

describe('the outbox of messages', () => {
  it('sends in order, each under its own id', async () => {
    await Promise.all([postMessage(words('one')), postMessage(words('two')), postMessage(words('three'))]);
    await retryOutbox();
    expect(sent()).toEqual(['one', 'two', 'three']);
    expect(new Set(sendMessage.mock.calls.map(([input]) => input.clientId)).size).toBe(3);
    expect(outgoingMessages()).toEqual([]);
  });

  it('sends text while the device is still storing it', async () => {
    await readStored();
    let finishWrite = () => {};
    const slow = new Promise<void>((done) => {
      finishWrite = done;
    });
    vi.spyOn(deviceStore, 'update').mockImplementationOnce(async (key, change) => {
      await slow;
      fakeStore.set(key, change(fakeStore.get(key) as never));
    });
    const posted = postMessage(words('at once'));
    await vi.waitFor(() => expect(sent()).toEqual(['at once']));
    finishWrite();
    await posted;
    expect(outgoingMessages()).toEqual([]);
  });

  it('keeps unsent ones in order, and sends them under the same id later', async () => {
    sendMessage.mockRejectedValueOnce(new ApiError('network/failed'));
    await postMessage(words('first'));
    await postMessage(words('second'));
    expect(sent()).toEqual(['first']);
    expect(outgoingMessages().map(({ body, refusal }) => [body, refusal])).toEqual([
      ['first', null],
      ['second', null],
    ]);
    await retryOutbox();
    expect(sent()).toEqual(['first', 'first', 'second']);
    const [before, after] = sendMessage.mock.calls;
    expect(after?.[0].clientId).toBe(before?.[0].clientId);
  });

  it('waits as long as a busy server requests, without blocking other conversations', async () => {
    sendMessage.mockRejectedValueOnce(new ApiError('chat/too-fast', { data: { retryAfterSeconds: 60 } }));
    await postMessage(words('too fast'));
    await postMessage(words('elsewhere', sampleId(2)));
    expect(sent()).toEqual(['too fast', 'elsewhere']);
    expect(outgoingMessages()).toHaveLength(1);
  });

  it('shows why one was rejected, continues with the next, and retries on request', async () => {
    sendMessage.mockRejectedValueOnce(new ApiError('chat/blocked'));
    await postMessage(words('refused'));
    await postMessage(words('next'));
    expect(outgoingMessages().map(({ body, refusal }) => [body, refusal])).toEqual([
      ['refused', 'chat/blocked'],
    ]);
    await retryMessage(outgoingMessages()[0]?.clientId ?? '');
    expect(sent()).toEqual(['refused', 'next', 'refused']);
    expect(outgoingMessages()).toEqual([]);
  });

  it('stores files once, even when the message is resent', async () => {
    sendMessage.mockRejectedValueOnce(new ApiError('network/failed'));
    const file = new File(['abc'], 'desk.png', { type: 'image/png' });
    await postMessage({ ...words('look'), files: [file] });
    await retryOutbox();
    expect(uploadFile).toHaveBeenCalledTimes(1);
    expect(sendMessage.mock.calls.map(([input]) => input.fileIds)).toEqual([[sampleId(77)], [sampleId(77)]]);
    expect([...fakeStore.keys()].filter((key) => key.startsWith('chat-file'))).toEqual([]);
  });

  it('survives a reload, only for its author', async () => {
    sendMessage.mockRejectedValue(new ApiError('network/failed'));
    await postMessage(words('later'));
    session.start({ user: account('noor'), accessToken: 't' });
    await readStored();
    expect(outgoingMessages()).toEqual([]);
    session.start({ user: account('leila'), accessToken: 't' });
    await readStored();
    expect(outgoingMessages().map(({ body }) => body)).toEqual(['later']);
  });
});

describe('what goes next', () => {
  const entry = (change: Partial<Outgoing>): Outgoing => ({
    clientId: 'a',
    conversationId: 'c',
    body: '',
    replyTo: null,
    files: [],
    at: '',
    refusal: null,
    ...change,
  });
  it('is the oldest one that is neither rejected nor waiting', () => {
    const list = [
      entry({ clientId: '1', refusal: 'chat/blocked' }),
      entry({ clientId: '2', conversationId: 'resting' }),
      entry({ clientId: '3' }),
    ];
    expect(nextToSend(list, (id) => id === 'resting')?.clientId).toBe('3');
    expect(nextToSend([], () => false)).toBeUndefined();
  });
  it('waits longer after each failure, at least as requested, up to a limit', () => {
    expect(backoffMs(1, null, 0.5)).toBe(1_000);
    expect(backoffMs(3, null, 0.5)).toBe(4_000);
    expect(backoffMs(40, null, 0.5)).toBe(30_000);
    expect(backoffMs(1, 9_000, 0)).toBe(9_000);
  });
});
