import { describe, expect, it, vi } from 'vitest';
import { createListening } from './realtime.ts';
import type { Peer } from './realtime-peer.ts';

const firstConversation = '01a1fbbc-d019-79f0-8086-994049deb373';
const secondConversation = '01a1fbbc-d019-79f0-8086-994049deb374';

function setUp(to: 'worker' | null = 'worker') {
  let now = 1_000_000;
  const send = vi.fn();
  const find = vi.fn(async () => (to ? { rooms: ['account:them' as const], side: to } : null));
  const parts = {
    clock: { now: () => new Date(now) },
    log: { debug: vi.fn() },
    bus: { send },
    findTypingTo: find,
  };
  const receive = createListening(parts as never, vi.fn());
  const peer = {
    accountId: 'me',
    typed: null,
    looking: null,
    received: { since: 0, count: 0 },
    cut: vi.fn(),
  };
  return {
    peer,
    send,
    find,
    forward: (ms: number) => {
      now += ms;
    },
    async types(id: unknown = firstConversation) {
      receive(peer as unknown as Peer, 'typing', [id]);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('typing', () => {
  it('is sent to everyone allowed to see it', async () => {
    const { types, send } = setUp();
    await types();
    const signal = { kind: 'typing', conversationId: firstConversation, accountId: 'me', side: 'worker' };
    expect(send.mock.calls).toEqual([[[{ rooms: ['account:them'], signal }]]]);
  });

  it("is sent to nobody when the user isn't a participant or hides it", async () => {
    const { types, send } = setUp(null);
    await types();
    expect(send).not.toHaveBeenCalled();
  });

  it('is throttled for any number of calls', async () => {
    const { types, send, find, forward } = setUp();
    for (let n = 0; n < 10; n += 1) {
      await types();
      forward(100);
    }
    expect([send.mock.calls.length, find.mock.calls.length]).toEqual([1, 1]);
    forward(3_000);
    await types();
    expect(send).toHaveBeenCalledTimes(2);
    // The switch to another conversation is immediate, but not back and forth.
    forward(600);
    await types(secondConversation);
    await types(firstConversation);
    expect(send).toHaveBeenCalledTimes(3);
  });

  it('queries nothing for an invalid id', async () => {
    const { types, find } = setUp();
    for (const nonsense of ['x', 1, null, {}, [firstConversation], `${firstConversation}'`])
      await types(nonsense);
    expect(find).not.toHaveBeenCalled();
  });
});
