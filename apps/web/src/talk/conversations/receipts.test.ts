import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { session } from '../../lib/session.ts';
import { sampleId } from './conversations.fixtures.ts';

const acknowledge = vi.hoisted(() => vi.fn());
vi.mock('./conversations.api.ts', () => ({
  acknowledge,
  refetchChats: vi.fn(),
  updateCachedConversation: vi.fn(),
}));
const { deliveredUpTo, readHere, readUpTo } = await import('./receipts.api.ts');

const id = sampleId(60);
let respond = { yes: () => {}, no: () => {} };

beforeEach(() => {
  vi.useFakeTimers();
  session.start({
    user: { id: 'leila', email: 'leila@example.test', emailVerified: true, name: 'Leila' },
    accessToken: 't',
  });
  acknowledge.mockReset().mockImplementation(
    () =>
      new Promise<void>((resolve, reject) => {
        respond = { yes: resolve, no: () => reject(new Error('no network')) };
      }),
  );
});
afterEach(() => {
  session.clear();
  vi.useRealTimers();
});

it('tracks what was read before and after the server confirms it, and on failure', async () => {
  readUpTo(id, 5);
  expect(readHere(id)).toBe(5);
  await vi.advanceTimersByTimeAsync(500);
  expect(acknowledge).toHaveBeenCalledOnce();
  expect(readHere(id)).toBe(5);
  respond.no();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(acknowledge).toHaveBeenCalledTimes(2);
  expect(readHere(id)).toBe(5);
  respond.yes();
  await vi.advanceTimersByTimeAsync(500);
  expect(readHere(id)).toBe(5);
});

it('keeps the read position when messages arrive in the meantime', async () => {
  readUpTo(id, 5);
  await vi.advanceTimersByTimeAsync(500);
  const first = respond;
  deliveredUpTo(id, 6);
  await vi.advanceTimersByTimeAsync(500);
  expect(acknowledge).toHaveBeenLastCalledWith([{ conversationId: id, deliveredSeq: 6, readSeq: 5 }]);
  respond.yes();
  first.yes();
  await vi.advanceTimersByTimeAsync(500);
  expect(readHere(id)).toBe(5);
  deliveredUpTo(id, 6);
  await vi.advanceTimersByTimeAsync(500);
  expect(acknowledge).toHaveBeenCalledTimes(2);
});
