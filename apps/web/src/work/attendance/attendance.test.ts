import { hourMs } from '@nearhand/contract/durations';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiQuery } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { persisted } from '../../lib/api/query-owner.ts';
import { session } from '../../lib/session.ts';

const { sendAttendance, readEngagement, saveQueries } = vi.hoisted(() => ({
  sendAttendance: vi.fn(),
  readEngagement: vi.fn(),
  saveQueries: vi.fn(),
}));
vi.mock('./send-attendance.ts', () => ({ sendAttendance, readEngagement }));
vi.mock('../../lib/api/query-persistence.ts', () => ({ saveQueries }));

const {
  dropAttendance,
  flushAttendance,
  queuedAttendance,
  recordAttendance,
  sendQueuedAttendance,
  trackRecording,
} = await import('./attendance.api.ts');
const { oneEngagement } = await import('../engagements/engagements.api.ts');
const { actsNow, asRecorded, isReturning, earlyLeave } = await import('./attendance-acts.ts');
const { parseSiteCode } = await import('./code-field.tsx');

const account = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: true, name: id });
const fact = (kind: 'checkIn' | 'startBreak' | 'checkOut', engagementId = 'work-1') => ({
  engagementId,
  title: 'Weekend barista',
  kind,
  position: { lat: 52.37, lng: 4.88, accuracyM: 12 },
  code: null,
});
const onLine = vi.spyOn(navigator, 'onLine', 'get');
const offline = (off: boolean) => onLine.mockReturnValue(!off);
const engagement = { id: 'work-1' };

beforeEach(() => {
  session.start({ user: account('leila'), accessToken: 't' });
  sendAttendance.mockReset().mockResolvedValue(engagement);
  readEngagement.mockReset().mockResolvedValue(engagement);
  saveQueries.mockReset();
  persisted.set(true);
  offline(false);
});
afterEach(() => {
  for (const { key } of queuedAttendance()) dropAttendance(key);
});

describe('the queue of attendance', () => {
  it('sends at once when possible, and stores nothing', async () => {
    expect(await recordAttendance(fact('checkIn'))).toEqual({ state: 'sent', engagement });
    expect(queuedAttendance()).toEqual([]);
  });

  it('keeps offline events with their own time over a reload', async () => {
    offline(true);
    const at = new Date('2026-11-21T07:58:00Z');
    expect(await recordAttendance(fact('checkIn'), at)).toEqual({ state: 'waiting' });
    expect(sendAttendance).not.toHaveBeenCalled();
    const events = JSON.parse(localStorage.getItem('nearhand-draft:leila:attendance-queue') ?? '[]');
    expect(events).toMatchObject([{ kind: 'checkIn', at: '2026-11-21T07:58:00.000Z' }]);
    // Another window, or this one after a reload, reads the stored queue.
    globalThis.dispatchEvent(new StorageEvent('storage', { key: 'nearhand-draft:leila:attendance-queue' }));
    expect(queuedAttendance()).toMatchObject(events);
  });

  it('sends in order when the connection returns, with the times of event and sending', async () => {
    offline(true);
    await recordAttendance(fact('checkIn'), new Date(Date.now() - hourMs));
    await recordAttendance(fact('startBreak'), new Date(Date.now() - 1_800_000));
    await recordAttendance(fact('checkOut'), new Date(Date.now() - 60_000));
    offline(false);
    const results = await flushAttendance();
    expect(results.map(({ entry }) => entry.kind)).toEqual(['checkIn', 'startBreak', 'checkOut']);
    for (const [, input] of sendAttendance.mock.calls) {
      expect(Date.parse(input.sentAt) - Date.parse(input.at)).toBeGreaterThanOrEqual(60_000);
    }
    expect(queuedAttendance()).toEqual([]);
  });

  it("keeps an entry's key across retries, and two concurrent runs are one", async () => {
    sendAttendance.mockRejectedValueOnce(new ApiError('network/failed'));
    expect(await recordAttendance(fact('checkIn'))).toEqual({ state: 'waiting' });
    await Promise.all([flushAttendance(), flushAttendance()]);
    const keys = sendAttendance.mock.calls.map(([, , key]) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('treats one with a lost response as sent, under the same key with another sending time', async () => {
    sendAttendance.mockRejectedValueOnce(new ApiError('network/failed'));
    await recordAttendance(fact('checkIn'));
    sendAttendance.mockRejectedValueOnce(new ApiError('idempotency/key-reused'));
    expect(await flushAttendance()).toMatchObject([{ engagement, refusal: null }]);
    expect(queuedAttendance()).toEqual([]);
  });

  it('forgets one with a lost response only after reading its result', async () => {
    offline(true);
    await recordAttendance(fact('checkIn'));
    sendAttendance.mockRejectedValue(new ApiError('idempotency/key-reused'));
    readEngagement.mockRejectedValueOnce(new ApiError('network/failed'));
    expect(await flushAttendance()).toEqual([]);
    expect(queuedAttendance()).toHaveLength(1);
    expect(await flushAttendance()).toMatchObject([{ engagement }]);
    expect(queuedAttendance()).toEqual([]);
  });

  it("stores the new state before it forgets the press, so a closed page doesn't offer it again", async () => {
    const writes: unknown[] = [];
    saveQueries.mockImplementation(async () => {
      const key = apiQuery.engagements.get.queryKey({ input: { engagementId: 'work-1' } });
      writes.push(queryClient.getQueryData(key), queuedAttendance().length);
    });
    await recordAttendance(fact('checkIn'));
    expect(writes).toEqual([engagement, 1]);
    expect(queuedAttendance()).toEqual([]);
  });

  it('keeps the new state when an earlier read returns after it', async () => {
    const { queryKey } = oneEngagement('work-1');
    const before = Promise.withResolvers<never>();
    const read = queryClient.fetchQuery({ queryKey, queryFn: () => before.promise, staleTime: 0 });
    await recordAttendance(fact('checkOut'));
    before.resolve({ id: 'work-1', version: 0 } as never);
    await read.catch(() => {});
    expect(queryClient.getQueryData(queryKey)).toEqual(engagement);
  });

  it('holds back hours behind it, with the version they follow', async () => {
    const work = { engagementId: 'work-1', version: 4 };
    expect(await sendQueuedAttendance(work)).toBe(4);
    sendAttendance.mockRejectedValueOnce(new ApiError('network/failed'));
    await recordAttendance(fact('checkOut'));
    sendAttendance.mockRejectedValueOnce(new ApiError('network/failed'));
    await expect(sendQueuedAttendance(work)).rejects.toMatchObject({ code: 'network/failed' });
    sendAttendance.mockResolvedValue({ id: 'work-1', version: 5 });
    expect(await sendQueuedAttendance(work)).toBe(5);
    expect(queuedAttendance()).toEqual([]);
  });

  it('sends hours while the device is located for other work', async () => {
    void trackRecording('work-2', new Promise(() => {}));
    expect(await sendQueuedAttendance({ engagementId: 'work-1', version: 4 })).toBe(4);
  });

  it('reports a rejection at once and stores nothing', async () => {
    sendAttendance.mockRejectedValueOnce(new ApiError('attendance/too-far'));
    expect(await recordAttendance(fact('checkIn'))).toEqual({
      state: 'refused',
      refusal: 'attendance/too-far',
    });
    expect(queuedAttendance()).toEqual([]);
  });

  it('shows a later rejection, and blocks the same work only', async () => {
    offline(true);
    await recordAttendance(fact('checkIn'));
    await recordAttendance(fact('checkOut'));
    await recordAttendance(fact('checkIn', 'work-2'));
    offline(false);
    sendAttendance.mockRejectedValueOnce(new ApiError('attendance/too-far'));
    await flushAttendance();
    expect(queuedAttendance()).toMatchObject([
      { kind: 'checkIn', refusal: 'attendance/too-far' },
      { kind: 'checkOut', refusal: null },
    ]);
    expect(sendAttendance).toHaveBeenCalledTimes(2);
    dropAttendance(queuedAttendance()[0]?.key ?? '');
    await flushAttendance();
    expect(queuedAttendance()).toEqual([]);
  });

  it('belongs to the account that recorded it', async () => {
    offline(true);
    await recordAttendance(fact('checkIn'));
    session.start({ user: account('noor'), accessToken: 't' });
    expect(queuedAttendance()).toEqual([]);
    session.start({ user: account('leila'), accessToken: 't' });
    expect(queuedAttendance()).toHaveLength(1);
  });
});

describe('what can be recorded now', () => {
  const terms = {
    kind: 'shift',
    startsAt: '2026-11-21T07:00:00Z',
    endsAt: '2026-11-21T13:00:00Z',
  } as never;
  const booked = { status: 'booked' as const, actions: ['confirm' as const, 'cancel' as const], terms };
  const at = (time: string) => new Date(`2026-11-21T${time}:00Z`);
  const waits = (
    kind: 'checkIn' | 'startBreak' | 'endBreak' | 'checkOut',
    refusal: string | null = null,
  ) => ({
    kind,
    refusal,
  });

  it('applies queued presses', () => {
    const ahead: Pick<EngagementCard, 'status' | 'onBreak'> = { status: 'booked', onBreak: false };
    const after = (...waiting: ReturnType<typeof waits>[]) => asRecorded(ahead, waiting as never);
    expect(after(waits('checkIn'))).toEqual({ status: 'checked_in', onBreak: false });
    expect(after(waits('checkIn'), waits('startBreak'))).toEqual({ status: 'checked_in', onBreak: true });
    expect(after(waits('checkOut'))).toEqual({ status: 'checked_out', onBreak: false });
    expect(after(waits('checkIn', 'attendance/too-far'))).toBe(ahead);
    expect(after()).toBe(ahead);
  });

  it("isn't done when it is queued behind a rejected one", () => {
    const ahead = { status: 'booked' as const, onBreak: false };
    const queued = [waits('checkIn', 'attendance/too-far'), waits('checkOut')];
    expect(asRecorded(ahead, queued)).toBe(ahead);
    expect(isReturning(ahead, queued)).toBe(false);
    const there = { status: 'checked_in' as const, onBreak: false };
    const broken = [waits('startBreak'), waits('endBreak', 'attendance/too-early'), waits('checkOut')];
    expect(asRecorded(there, broken)).toEqual({ status: 'checked_in', onBreak: true });
  });

  it.each(['no_show_reported', 'cancelled_by_worker', 'cancelled_by_merchant', 'approved'] as const)(
    'keeps work that is %s as the server reports it',
    (status) => {
      const over = { status, onBreak: false };
      expect(asRecorded(over, [waits('checkIn'), waits('checkOut')])).toBe(over);
    },
  );

  it('opens check-in on time, even with an older response', () => {
    expect(actsNow(booked, [], at('05:59'), settingDefaults)).toEqual([]);
    expect(actsNow(booked, [], at('06:00'), settingDefaults)).toEqual(['check-in']);
    expect(actsNow(booked, [], at('13:01'), settingDefaults)).toEqual([]);
    expect(actsNow(booked, [], at('05:59'), { checkInOpensMinutes: 90 })).toEqual(['check-in']);
  });
  it('treats queued ones as done', () => {
    expect(actsNow(booked, [waits('checkIn')], at('07:00'), settingDefaults)).toEqual([
      'start-break',
      'check-out',
    ]);
    expect(actsNow(booked, [waits('checkIn'), waits('startBreak')], at('09:00'), settingDefaults)).toEqual([
      'end-break',
      'check-out',
    ]);
    expect(actsNow(booked, [waits('checkIn'), waits('checkOut')], at('13:00'), settingDefaults)).toEqual([
      'check-in',
    ]);
    expect(actsNow(booked, [waits('checkIn'), waits('checkOut')], at('13:01'), settingDefaults)).toEqual([]);
  });
  it('ignores rejected ones', () => {
    const refused = waits('checkIn', 'attendance/too-far');
    expect(actsNow(booked, [refused], at('07:00'), settingDefaults)).toEqual(['check-in']);
    const left = [refused, waits('startBreak'), waits('checkOut')];
    expect(actsNow(booked, left.slice(0, 2), at('07:00'), settingDefaults)).toEqual(['check-in']);
    expect(actsNow(booked, left, at('07:00'), settingDefaults)).toEqual(['check-in']);
    expect(actsNow(booked, [...left, waits('checkIn')], at('07:00'), settingDefaults)).toEqual([
      'start-break',
      'check-out',
    ]);
  });
  it('follows the server otherwise', () => {
    const here = { status: 'checked_in' as const, actions: ['start-break', 'check-out'] as never, terms };
    expect(actsNow(here, [], at('08:00'), settingDefaults)).toEqual(['start-break', 'check-out']);
  });
});

describe('a break', () => {
  it("can't start before the shift", () => {
    const terms = {
      kind: 'shift',
      startsAt: '2026-11-21T07:00:00Z',
      endsAt: '2026-11-21T13:00:00Z',
    } as never;
    const work = { status: 'checked_in' as const, actions: ['start-break', 'check-out'] as never, terms };
    const settings = { checkInOpensMinutes: 60 };
    const acts = (time: string) => actsNow(work, [], new Date(`2026-11-21T${time}:00Z`), settings);
    expect(acts('06:50')).toEqual(['check-out']);
    expect(acts('07:00')).toEqual(['start-break', 'check-out']);
  });
});

describe('a scanned code', () => {
  it('is the six digits, alone or at the end of an address', () => {
    expect(parseSiteCode('048213')).toBe('048213');
    expect(parseSiteCode('https://nearhand.example/site/123456?code=048213')).toBe('048213');
    expect(parseSiteCode('hello')).toBeNull();
  });
});

describe('leaving early', () => {
  const terms = { startsAt: '2026-11-21T07:00:00Z', endsAt: '2026-11-21T13:00:00Z' };
  it.each([
    ['12:45', null],
    ['12:44', { minutes: 16, started: true }],
    ['06:50', { minutes: 370, started: false }],
  ])('at %s', (time, expected) => {
    const work = { terms } as Parameters<typeof earlyLeave>[0];
    expect(earlyLeave(work, new Date(`2026-11-21T${time}:00Z`))).toEqual(expected);
  });
});
