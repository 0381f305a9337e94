import { minuteMs } from '@nearhand/contract/durations';
import type { Signal } from '@nearhand/contract/realtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AuthPort, registerAuth } from '../api/auth-provider.ts';
import { isOnline, reportAnswer } from '../device/online.ts';
import { session } from '../session.ts';
import { connectedNow, onSignal, sendTyping, setOpenConversation, startRealtime } from './realtime.ts';
import { type AttemptEvents, keepLink } from './realtime-link.ts';

const leila = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
const signIn = (user = leila) => session.start({ user, accessToken: 'token' });

type Try = AttemptEvents & { closed: boolean; sent: [string, string | null][] };
let tries: Try[] = [];
let stop: () => void = () => {};
const idToken = vi.fn(async (_options?: { fresh?: boolean }): Promise<string | null> => 'fresh');
const probe = vi.fn<() => Promise<Response>>();
const last = (): Try => tries.at(-1) as Try;

function link(random = 0.5) {
  stop = keepLink(
    (events) => {
      const attempt: Try = { ...events, closed: false, sent: [] };
      tries.push(attempt);
      return {
        close: () => {
          attempt.closed = true;
        },
        send: (event, id) => attempt.sent.push([event, id]),
      };
    },
    () => random,
  );
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}
function setOnline(online: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: online });
  globalThis.dispatchEvent(new Event(online ? 'online' : 'offline'));
}

beforeEach(() => {
  vi.useFakeTimers();
  probe.mockReset().mockImplementation(async () => Response.json({ status: 'live' }));
  vi.stubGlobal('fetch', probe);
  tries = [];
  idToken.mockClear();
  registerAuth({ idToken } as unknown as AuthPort);
});
afterEach(() => {
  stop();
  reportAnswer();
  vi.unstubAllGlobals();
  setHidden(false);
  setOnline(true);
  setOpenConversation(null);
  session.clear();
  vi.useRealTimers();
});

describe('keepLink', () => {
  it('connects for a verified user only, and closes at sign-out', () => {
    link();
    expect(tries).toHaveLength(0);
    signIn({ ...leila, emailVerified: false });
    expect(tries).toHaveLength(0);
    session.update({ user: leila });
    expect(tries).toHaveLength(1);
    last().open();
    expect(connectedNow()).toBe(true);
    session.clear();
    expect(last().closed).toBe(true);
    expect(connectedNow()).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(tries).toHaveLength(1);
  });

  it('opens another socket for another user', () => {
    signIn();
    link();
    last().open();
    signIn({ ...leila, id: 'u2' });
    expect(tries).toHaveLength(2);
    expect(tries[0]?.closed).toBe(true);
  });

  it('backs off after each failure, at most 10 s, and gets a resync with each connection', () => {
    signIn();
    link(1);
    const received: Signal[] = [];
    const quiet = onSignal((signal) => received.push(signal));
    last().open();
    expect(received).toEqual([{ kind: 'resync' }]);
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const before = tries.length;
      last().over(null);
      let waited = 0;
      while (tries.length === before) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([750, 1_250, 2_250, 4_250, 8_250, 10_250, 10_250, 10_250]);
    last().open();
    expect(received).toEqual([{ kind: 'resync' }, { kind: 'resync' }]);
    vi.advanceTimersByTime(6_000);
    last().over(null);
    const before = tries.length;
    vi.advanceTimersByTime(800);
    expect(tries.length).toBe(before + 1);
    quiet();
  });

  it('detects with its first failures that the network leads nowhere, and waits for it', async () => {
    signIn();
    link();
    last().over(null);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOnline()).toBe(true);
    expect(tries).toHaveLength(2);
    probe.mockRejectedValue(new TypeError('Failed to fetch'));
    last().over(null);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isOnline()).toBe(false);
    expect(tries).toHaveLength(2);
    probe.mockImplementation(async () => Response.json({ status: 'live' }));
    globalThis.dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(0);
    expect(tries).toHaveLength(3);
  });

  it('stops probing the server on a network that blocks sockets', async () => {
    signIn();
    link();
    for (let failure = 0; failure < 10; failure += 1) {
      last().over(null);
      await vi.advanceTimersByTimeAsync(20_000);
    }
    expect(tries).toHaveLength(11);
    expect(probe).toHaveBeenCalledTimes(4);
  });

  it('spreads its attempts: the same failure, different delays', () => {
    signIn();
    link(0);
    last().over(null);
    vi.advanceTimersByTime(260);
    expect(tries).toHaveLength(2);
  });

  it('renews a rejected token once and retries at once, then backs off like any failure', async () => {
    signIn();
    link(1);
    last().over('session/expired');
    await vi.advanceTimersByTimeAsync(0);
    expect(idToken).toHaveBeenCalledWith({ fresh: true });
    expect(tries).toHaveLength(2);
    last().over('session/expired');
    await vi.advanceTimersByTimeAsync(0);
    expect(idToken).toHaveBeenCalledTimes(1);
    expect(tries).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tries).toHaveLength(3);
    last().open();
    last().over('session/expired');
    await vi.advanceTimersByTimeAsync(0);
    expect(idToken).toHaveBeenCalledTimes(2);
  });

  it('asks the provider when a session ended', async () => {
    signIn();
    link();
    last().open();
    last().signals([{ kind: 'session-ended', sessionId: 's1' }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(idToken).toHaveBeenCalledWith({ fresh: true });
  });

  it('closes when offline and connects at once when back', () => {
    signIn();
    link();
    last().open();
    setOnline(false);
    expect(last().closed).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(tries).toHaveLength(1);
    setOnline(true);
    expect(tries).toHaveLength(2);
  });

  it("keeps a hidden page's socket for five minutes, and connects when it is visible again", () => {
    signIn();
    link();
    last().open();
    setHidden(true);
    vi.advanceTimersByTime(4 * minuteMs);
    expect(last().closed).toBe(false);
    vi.advanceTimersByTime(61_000);
    expect(last().closed).toBe(true);
    setHidden(false);
    expect(tries).toHaveLength(2);
  });

  it('sends the open conversation after each connection, and none while the page is hidden', () => {
    signIn();
    link();
    setOpenConversation('c1');
    last().open();
    expect(last().sent).toEqual([['looking', 'c1']]);
    setHidden(true);
    expect(last().sent.at(-1)).toEqual(['looking', null]);
    setHidden(false);
    expect(last().sent.at(-1)).toEqual(['looking', 'c1']);
    setOpenConversation(null);
    expect(last().sent.at(-1)).toEqual(['looking', null]);
  });

  it('sends typing at most every three seconds', () => {
    signIn();
    link();
    sendTyping('c1');
    last().open();
    for (let key = 0; key < 10; key += 1) {
      sendTyping('c1');
      vi.advanceTimersByTime(500);
    }
    expect(last().sent.filter(([event]) => event === 'typing')).toEqual([
      ['typing', 'c1'],
      ['typing', 'c1'],
    ]);
  });

  it('ignores an expired attempt', () => {
    signIn();
    link();
    const old = last();
    old.over(null);
    const received = vi.fn();
    const quiet = onSignal(received);
    old.signals([{ kind: 'notice' }]);
    old.open();
    old.over(null);
    expect(received).not.toHaveBeenCalled();
    expect(connectedNow()).toBe(false);
    quiet();
  });
});

describe('startRealtime', () => {
  it('loads the link once, when a verified user is signed in', async () => {
    const load = vi.fn(async () => {});
    startRealtime(load);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(load).not.toHaveBeenCalled();
    signIn();
    session.update({ accessToken: 'newer' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('retries when its code failed to load', async () => {
    const load = vi.fn(async () => {});
    load.mockRejectedValueOnce(new Error('no network'));
    signIn();
    startRealtime(load);
    await vi.advanceTimersByTimeAsync(5_000);
    globalThis.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
