import { describe, expect, it } from 'vitest';
import { dueOf } from './search-matches.ts';

const due = (alert: 'at_once' | 'daily' | 'weekly', now: string, timeZone = 'Europe/Amsterdam') =>
  dueOf(alert, { openedAt: new Date(now), timeZone, digestHour: 8 }).toISOString();

describe('dueOf', () => {
  it('returns the end of the current five minutes for an instant alert', () => {
    expect(due('at_once', '2026-11-24T10:00:00Z')).toBe('2026-11-24T10:05:00.000Z');
    expect(due('at_once', '2026-11-24T10:04:59Z')).toBe('2026-11-24T10:05:00.000Z');
  });

  it('returns the next morning, local time', () => {
    expect(due('daily', '2026-11-24T06:59:00Z')).toBe('2026-11-24T07:00:00.000Z');
    expect(due('daily', '2026-11-24T07:00:00Z')).toBe('2026-11-25T07:00:00.000Z');
    expect(due('daily', '2026-11-24T07:00:00Z', 'America/New_York')).toBe('2026-11-24T13:00:00.000Z');
  });

  it('returns the next Monday morning, also on a Monday and across a clock change', () => {
    expect(due('weekly', '2026-11-24T10:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
    expect(due('weekly', '2026-11-30T06:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
    expect(due('weekly', '2026-11-30T07:00:00Z')).toBe('2026-12-07T07:00:00.000Z');
    expect(due('weekly', '2026-03-24T10:00:00Z')).toBe('2026-03-30T06:00:00.000Z');
  });
});
