import { i18n } from '@lingui/core';
import { type Notification, notificationTopics } from '@nearhand/contract/notifications';
import { beforeAll, describe, expect, it } from 'vitest';
import { byDay } from './notice-days.ts';
import { noticeWords } from './notice-words.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
const now = new Date('2026-11-21T20:00:00Z');

describe('noticeWords', () => {
  it('has words for every topic, also where data is missing or the topic is new', () => {
    for (const topic of [...notificationTopics, 'something-later' as never]) {
      const { title, text } = noticeWords({ topic, data: {} }, now);
      expect(title).toBeTruthy();
      expect(`${title} ${text ?? ''}`).not.toMatch(/undefined|NaN|Invalid/);
    }
  });

  it('speaks to each side of an unanswered application', () => {
    const data = { jobTitle: 'Front desk', businessName: 'Hotel Brouwers', workerName: 'Leila' };
    const say = (side: string) =>
      noticeWords({ topic: 'application-no-response', data: { ...data, side } }, now).title;
    expect(say('worker')).toBe('No answer from Hotel Brouwers');
    expect(say('business')).toBe('Not answered in time: Leila');
  });
});

describe('byDay', () => {
  const at = (createdAt: string): Notification => ({
    id: createdAt,
    topic: 'welcome',
    data: {},
    path: '/',
    createdAt,
    readAt: null,
  });

  it('groups by days of the reader, not of the clock in Greenwich', () => {
    const items = [
      '2026-11-21T19:00:00Z',
      '2026-11-20T23:30:00Z',
      '2026-11-20T10:00:00Z',
      '2026-11-16T10:00:00Z',
    ].map(at);
    const days = byDay(items, 'Europe/Amsterdam', now);
    expect(days.map(({ title }) => title).slice(0, 2)).toEqual(['Today', 'Yesterday']);
    expect(days.map(({ items: of }) => of.length)).toEqual([2, 1, 1]);
    expect(days[2]?.title).toContain('Monday');
  });
});
