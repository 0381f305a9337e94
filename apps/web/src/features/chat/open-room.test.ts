import { afterEach, expect, it, vi } from 'vitest';
import { session } from '../../lib/session.ts';
import { sampleId, sampleMessage } from './chat.samples.ts';

const readMessages = vi.hoisted(() => vi.fn());
vi.mock('./chat.api.ts', () => ({ readMessages }));
vi.mock('../../lib/device-shelf.ts', () => ({
  deviceShelf: {
    get: async () => undefined,
    set: async () => {},
    del: async () => {},
    update: async () => {},
  },
}));
const { openRoom, roomNow } = await import('./chat-store.ts');
const { gapless } = await import('./chat-store.rules.ts');

afterEach(() => session.clear());

it('opens at a place thousands of messages back, without what lies between', async () => {
  session.start({
    user: { id: 'leila', email: 'leila@example.test', emailVerified: true, name: 'Leila' },
    accessToken: 't',
  });
  const total = 10_000;
  readMessages.mockImplementation(
    async ({ before = total + 1, limit }: { before?: number; limit: number }) => ({
      items: Array.from({ length: limit }, (_, index) => sampleMessage(before - limit + index)),
      more: true,
      rev: total,
      lastSeq: total,
    }),
  );
  const id = sampleId(40);
  await openRoom(id, { from: 5_000, count: Number.POSITIVE_INFINITY });
  const { log, anchor } = roomNow(id);
  const shown = gapless(log, anchor).map(({ seq }) => seq);
  expect(anchor).toBe(5_000);
  expect([shown[0], shown.at(-1)]).toEqual([4_940, 5_059]);
  expect(readMessages).toHaveBeenCalledOnce();
});
