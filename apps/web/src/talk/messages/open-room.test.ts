import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { session } from '../../lib/session.ts';
import { sampleId, sampleMessage } from '../conversations/conversations.fixtures.ts';

const readMessages = vi.hoisted(() => vi.fn());
const readRecent = vi.hoisted(() => vi.fn());
vi.mock('../conversations/conversations.api.ts', () => ({ readMessages, readRecent }));
vi.mock(
  '../../lib/device/indexed-db-store.ts',
  () => import('../../lib/device/indexed-db-store.fixtures.ts'),
);
const {
  fillRoom,
  goToNewest,
  storeRecent,
  openRoom,
  conversationRoom: roomOf,
} = await import('./message-store.api.ts');
const { messagesAround } = await import('./message-store.rules.ts');

afterEach(() => session.clear());

type Asked = { before?: number; since?: number; limit: number };
let total = 10_000;
beforeEach(() => {
  total = 10_000;
  session.start({
    user: { id: 'leila', email: 'leila@example.test', emailVerified: true, name: 'Leila' },
    accessToken: 't',
  });
  readMessages.mockReset().mockImplementation(async ({ before = total + 1, since, limit }: Asked) => {
    const from = since === undefined ? before - limit : since + 1;
    const length = since === undefined ? limit : Math.min(limit, total - since);
    return {
      items: Array.from({ length }, (_, index) => sampleMessage(from + index)),
      more: since === undefined || from + length <= total,
      rev: total,
      lastSeq: total,
    };
  });
});

const id = sampleId(40);
const far = { from: 5_000, count: Number.POSITIVE_INFINITY };
const span = () => {
  const { log, anchor } = roomOf(id);
  const messages = messagesAround(log, anchor);
  return [messages[0]?.seq, messages.at(-1)?.seq];
};

it('opens at a place thousands of messages back, without those in between', async () => {
  await openRoom(id, far);
  expect(roomOf(id).anchor).toBe(5_000);
  expect(span()).toEqual([4_940, 5_059]);
  expect(readMessages).toHaveBeenCalledOnce();
});

it('opens there even when a signal or a reconnect fills the conversation first', async () => {
  const answers = readMessages.getMockImplementation() as (request: Asked) => Promise<unknown>;
  readMessages.mockImplementation(async (request: Asked) => {
    if (request.before === undefined && request.since === undefined)
      await new Promise((resolve) => setTimeout(resolve, 50));
    return answers(request);
  });
  await Promise.all([openRoom(id, far), fillRoom(id)]);
  expect(span()).toEqual([4_940, 5_059]);
  expect(readMessages).toHaveBeenLastCalledWith(expect.objectContaining({ since: 10_000 }));
});

it('opens at the newest again after opening far back', async () => {
  await openRoom(id, far);
  const opening = openRoom(id, null);
  await Promise.resolve();
  expect(span()).toEqual([undefined, undefined]);
  await opening;
  expect(span()).toEqual([9_941, 10_000]);
});

it('opens at the first unread, not far back beyond a gap', async () => {
  await openRoom(id, far);
  total = 10_050;
  await openRoom(id, { from: 10_001, count: 50 });
  expect(span()).toEqual([9_941, 10_050]);
});

it('requests only new messages when the newest part is loaded, even after a place far back', async () => {
  await openRoom(id, null);
  await openRoom(id, far);
  readMessages.mockClear();
  total = 10_003;
  await openRoom(id, { from: 10_001, count: 3 });
  expect(span()).toEqual([9_941, 10_003]);
  expect(readMessages.mock.calls.every(([request]) => request.since !== undefined)).toBe(true);
});

it('starts fresh at the newest part after missing a thousand changes, and not before', async () => {
  await openRoom(id, null);
  total = 11_000;
  await fillRoom(id);
  expect(span()).toEqual([9_941, 11_000]);
  total = 12_001;
  readMessages.mockClear();
  await fillRoom(id);
  expect(span()).toEqual([11_942, 12_001]);
  expect(readMessages).toHaveBeenCalledTimes(2);

  total = 14_000;
  const answers = readMessages.getMockImplementation() as (request: Asked) => Promise<unknown>;
  readMessages.mockImplementation((request: Asked) =>
    request.since === undefined ? Promise.reject(new Error('no network')) : answers(request),
  );
  await fillRoom(id);
  expect(span()[0]).toBe(11_942);
  expect(roomOf(id).error).toMatchObject({ message: 'no network' });
});

it("shows its data, and why, when the newest part can't load", async () => {
  await openRoom(id, far);
  readMessages.mockRejectedValue(new Error('no network'));
  await openRoom(id, null);
  expect(span()).toEqual([4_940, 5_059]);
  expect(roomOf(id)).toMatchObject({ loading: null, error: new Error('no network') });
  await goToNewest(id);
  expect(span()).toEqual([4_940, 5_059]);
});

it('loads unknown conversations about open work in one call, and only the changes of others', async () => {
  const knownId = sampleId(41);
  const current = sampleId(42);
  const unknown = sampleId(43);
  const over = sampleId(44);
  await openRoom(knownId, null);
  await openRoom(current, null);
  readMessages.mockClear();
  const newest = Array.from({ length: 20 }, (_, index) => sampleMessage(9_981 + index));
  readRecent.mockResolvedValue({
    items: [{ conversationId: unknown, items: newest, more: true, rev: total, lastSeq: total }],
  });
  total = 10_002;
  await storeRecent([
    { id: unknown, rev: 10_000, readOnlyAt: null },
    { id: knownId, rev: 10_002, readOnlyAt: null },
    { id: current, rev: 10_000, readOnlyAt: null },
    { id: over, rev: 10_000, readOnlyAt: '2026-11-01T10:00:00.000Z' },
  ]);
  expect(readRecent).toHaveBeenCalledOnce();
  expect(messagesAround(roomOf(unknown).log, null)).toHaveLength(20);
  expect(readMessages.mock.calls).toEqual([
    [expect.objectContaining({ conversationId: knownId, since: 10_000 })],
  ]);
  expect(roomOf(knownId).log.lastSeq).toBe(10_002);
  expect(roomOf(over).log.base).toBeNull();
  await storeRecent([{ id: unknown, rev: 10_000, readOnlyAt: null }]);
  expect(readRecent).toHaveBeenCalledOnce();
});
