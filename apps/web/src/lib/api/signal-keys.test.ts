import { type Signal, signalRecords } from '@nearhand/contract/realtime';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiQuery } from './api.ts';
import { keysOfSignal, refetchOnSignals } from './signal-keys.ts';

const record = (name: string): Signal =>
  ({ kind: 'record', record: name, id: '0197a000-0000-7000-8000-000000000001' }) as Signal;

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('keysOfSignal', () => {
  it.each(signalRecords)('returns the queries of a %s', (name) => {
    expect(keysOfSignal(record(name)).length).toBeGreaterThan(0);
  });
  it('treats an unknown record of a newer server as everything, and records that chat handles as nothing', () => {
    expect(keysOfSignal(record('constructor'))).toBe('all');
    expect(keysOfSignal({ kind: 'resync' })).toBe('all');
    expect(keysOfSignal({ kind: 'message', conversationId: 'c', rev: 1, seq: 1 })).toEqual([]);
  });
});

describe('refetchOnSignals', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    setHidden(false);
    vi.useRealTimers();
  });
  const client = () => {
    const queryClient = new QueryClient();
    return { queryClient, invalidate: vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue() };
  };

  it('batches a burst into one round, each key once', async () => {
    const { queryClient, invalidate } = client();
    const receive = refetchOnSignals(queryClient);
    for (let count = 0; count < 50; count += 1) receive(record('interview'));
    await vi.advanceTimersByTimeAsync(299);
    expect(invalidate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(invalidate.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([
      apiQuery.interviews.key(),
      apiQuery.applicants.key(),
      apiQuery.applications.key(),
      apiQuery.pipeline.key(),
      apiQuery.calendar.key(),
      apiQuery.notifications.key(),
    ]);
  });

  it('never restarts a query in flight, and refetches afterwards', async () => {
    const { queryClient, invalidate } = client();
    let finish: () => void = () => {};
    invalidate.mockImplementation(() => new Promise<void>((resolve) => (finish = resolve)));
    const receive = refetchOnSignals(queryClient);
    receive(record('calendar'));
    await vi.advanceTimersByTimeAsync(300);
    receive(record('calendar'));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(invalidate).toHaveBeenCalledTimes(1);
    finish();
    await vi.advanceTimersByTimeAsync(300);
    expect(invalidate).toHaveBeenCalledTimes(2);
    receive(record('calendar'));
    await vi.advanceTimersByTimeAsync(5_400);
    expect(invalidate).toHaveBeenCalledTimes(3);
  });

  it('spreads a resync over its time', async () => {
    const { queryClient, invalidate } = client();
    refetchOnSignals(queryClient, () => 0.9)({ kind: 'resync' });
    await vi.advanceTimersByTimeAsync(1_700);
    expect(invalidate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(invalidate).toHaveBeenCalledExactlyOnceWith();
  });

  it("waits for a write's response first, but not forever", async () => {
    const { queryClient, invalidate } = client();
    const writing = vi.spyOn(queryClient, 'isMutating').mockReturnValue(1);
    refetchOnSignals(queryClient)({ kind: 'notice' });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(invalidate).not.toHaveBeenCalled();
    writing.mockReturnValue(0);
    await vi.advanceTimersByTimeAsync(300);
    expect(invalidate).toHaveBeenCalledTimes(2);
    writing.mockReturnValue(1);
    refetchOnSignals(queryClient)(record('calendar'));
    await vi.advanceTimersByTimeAsync(7_000);
    expect(invalidate).toHaveBeenCalledTimes(3);
  });

  it('refetches when a hidden page is visible again', async () => {
    const { queryClient, invalidate } = client();
    setHidden(true);
    refetchOnSignals(queryClient)(record('calendar'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(invalidate).not.toHaveBeenCalled();
    setHidden(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(invalidate).toHaveBeenCalledTimes(1);
  });
});
