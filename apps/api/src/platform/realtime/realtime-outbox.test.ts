import type { Signal } from '@nearhand/contract/realtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutbox, type Outbox } from './realtime-outbox.ts';

const record = (n: number): Signal => ({ kind: 'record', record: 'job', id: `job ${n}` });
const message = (rev: number): Signal => ({ kind: 'message', conversationId: 'one', rev, seq: rev });

describe('signals waiting for a socket', () => {
  let outbox: Outbox;
  beforeEach(() => {
    vi.useFakeTimers();
    outbox = createOutbox(() => vi.getMockedSystemTime()?.valueOf() as number);
  });
  afterEach(() => {
    outbox.stop();
    vi.useRealTimers();
  });

  const wire = () => {
    const sent: (readonly Signal[])[] = [];
    return {
      sent,
      clear: true,
      isCut: false,
      emit: (_: 'signals', signals: readonly Signal[]) => sent.push(signals),
      isClear() {
        return this.clear;
      },
      cut() {
        this.isCut = true;
      },
    };
  };

  it('are sent together after a moment, oldest first, newest of each subject', () => {
    const socket = wire();
    for (const signal of [message(1), { kind: 'notice' } as const, message(3), message(2), record(1)])
      outbox.push(socket, signal);
    expect(socket.sent).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(socket.sent).toEqual([[{ kind: 'notice' }, message(3), record(1)]]);
  });

  it("wait while the socket doesn't read, and are one packet when it does", () => {
    const slow = wire();
    slow.clear = false;
    for (let rev = 1; rev <= 10_000; rev += 1) outbox.push(slow, message(rev));
    vi.advanceTimersByTime(5_000);
    expect(slow.sent).toEqual([]);
    slow.clear = true;
    vi.advanceTimersByTime(300);
    expect(slow.sent).toEqual([[message(10_000)]]);
  });

  it('become a resync when there are too many', () => {
    const slow = wire();
    slow.clear = false;
    for (let n = 0; n < 10_000; n += 1) outbox.push(slow, record(n));
    slow.clear = true;
    vi.advanceTimersByTime(300);
    expect(slow.sent).toEqual([[{ kind: 'resync' }]]);
    expect(outbox.counts).toMatchObject({ dropped: 9_999, sent: 1 });
    outbox.push(slow, record(1));
    vi.advanceTimersByTime(20);
    expect(slow.sent[1]).toEqual([record(1)]);
  });

  it('are dropped with a socket that stalls for 30 seconds, but not with others', () => {
    const stuck = wire();
    const secondWire = wire();
    stuck.clear = false;
    outbox.push(stuck, record(1));
    vi.advanceTimersByTime(29_000);
    outbox.push(secondWire, record(2));
    expect(stuck.isCut).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect([stuck.isCut, secondWire.isCut]).toEqual([true, false]);
    expect(secondWire.sent).toEqual([[record(2)]]);
    expect(outbox.counts.cut).toBe(1);
  });
});
