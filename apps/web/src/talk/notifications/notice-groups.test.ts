import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { gatherAsks, groupNotices, inWaitingOrder, shareOf } from './notice-groups.rules.ts';
import { entryTexts } from './notice-row.tsx';
import { sampleNotice } from './notifications.fixtures.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const now = Date.parse('2026-11-21T20:00:00Z');
const unread = ({ readAt }: { readAt: string | null }) => readAt === null;
const of = (id: string, change: Parameters<typeof sampleNotice>[0] = {}) =>
  sampleNotice({ id, group: 'job-1', ...change });

describe('gather', () => {
  it("puts a group's unread notices under the newest", () => {
    const entries = groupNotices([of('a'), of('b', { group: null }), of('c'), of('d')], unread);
    expect(entries.map(({ notice, earlier }) => [notice.id, earlier.map(({ id }) => id)])).toEqual([
      ['a', ['c', 'd']],
      ['b', []],
    ]);
  });

  it('leaves read ones unchanged, even between unread ones', () => {
    const entries = groupNotices([of('a'), of('b', { readAt: '2026-11-21T10:00:00Z' }), of('c')], unread);
    expect(entries.map(({ notice, earlier }) => [notice.id, earlier.length])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });
});

describe('messages of one conversation', () => {
  it('are one line a day, read or not', () => {
    const readAt = '2026-11-21T12:00:00Z';
    const message = (id: string, change = {}) => of(id, { topic: 'message-received', readAt, ...change });
    const yesterday = message('d', { createdAt: '2026-11-20T10:00:00Z' });
    const entries = groupNotices(
      [message('a', { readAt: null }), of('x', { group: null }), message('b'), message('c'), yesterday],
      unread,
    );
    expect(entries.map(({ notice, earlier }) => [notice.id, earlier.length])).toEqual([
      ['a', 2],
      ['x', 0],
      ['d', 0],
    ]);
  });
});

describe('what waits', () => {
  const entry = (id: string, data: Record<string, string>, createdAt = '2026-11-20T20:00:00Z') => ({
    notice: sampleNotice({ id, data, createdAt }),
    earlier: [],
  });

  it('sorts by deadline, then newest first, without expired ones', () => {
    const order = inWaitingOrder(
      [
        entry('no end, old', {}, '2026-11-18T20:00:00Z'),
        entry('no end, new', {}),
        entry('tomorrow', { by: '2026-11-22T20:00:00Z' }),
        entry('over', { by: '2026-11-21T19:00:00Z' }),
        entry('soon', { expiresAt: '2026-11-21T21:00:00Z', by: '2026-12-01T00:00:00Z' }),
        entry('nonsense', { by: 'x' }, '2026-11-19T20:00:00Z'),
      ],
      now,
    );
    expect(order.map(({ notice }) => notice.id)).toEqual([
      'soon',
      'tomorrow',
      'no end, new',
      'nonsense',
      'no end, old',
    ]);
  });

  it('is one for repeated requests, with the latest text', () => {
    const nudge = (id: string, waiting: number) =>
      sampleNotice({
        id,
        topic: 'application-nudge',
        path: '/job-applicants/1',
        data: { workerName: 'Tom', jobTitle: 'Barista', waiting },
      });
    const asks = gatherAsks([nudge('b', 2), sampleNotice({ id: 'x' }), nudge('a', 4)]);
    expect(asks.map(({ notice, earlier }) => [notice.id, earlier.length])).toEqual([
      ['b', 1],
      ['x', 0],
    ]);
    expect(asks[0] && entryTexts(asks[0]).title).toBe('Tom and 1 other are waiting for your reply');
  });

  it('returns the share of time left', () => {
    expect(shareOf(entry('a', { by: '2026-11-22T20:00:00Z' }), [], now)).toBe(0.5);
    const reminded = entry('a', { by: '2026-11-22T20:00:00Z' });
    const first = { ...reminded.notice, createdAt: '2026-11-10T20:00:00Z' };
    expect(shareOf({ ...reminded, earlier: [first] }, [], now)).toBeLessThan(0.2);
    expect(shareOf(entry('b', {}), [], now)).toBeNull();
    expect(shareOf(entry('c', { by: '2026-11-20T10:00:00Z' }), [], now)).toBe(0);
  });

  it('returns one share for entries with the same deadline', () => {
    const late = entry('a', { by: '2026-11-22T20:00:00Z' });
    const early = entry('b', { by: '2026-11-22T20:00:00Z' });
    early.notice.createdAt = '2026-11-10T20:00:00Z';
    const entries = [late, early, entry('c', { by: '2026-11-23T20:00:00Z' })];
    expect(shareOf(late, entries, now)).toBe(shareOf(early, entries, now));
  });
});

describe('entryTexts', () => {
  const applied = (id: string, workerName: string) =>
    sampleNotice({
      id,
      topic: 'application-received',
      data: { workerName, jobTitle: 'Barista', side: 'business' },
    });

  it('counts a group and names who it is about', () => {
    const first = applied('a', 'Leila');
    const two = applied('b', 'Tom');
    const three = applied('c', 'Leila');
    expect(entryTexts({ notice: first, earlier: [two, three] })).toMatchObject({
      title: '3 new applications: Barista',
      text: 'Leila, Tom',
    });
    expect(entryTexts({ notice: first, earlier: [] }).title).toBe('Leila applied');
  });

  it('has text for a group of different things', () => {
    const other = sampleNotice({ id: 'b', topic: 'application-withdrawn', data: { jobTitle: 'Barista' } });
    expect(entryTexts({ notice: applied('a', 'Leila'), earlier: [other] })).toMatchObject({
      title: 'Barista: 2 updates',
      text: 'Latest: Leila applied',
    });
  });
});
