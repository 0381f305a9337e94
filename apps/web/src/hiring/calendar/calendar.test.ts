import { dayMs } from '@nearhand/contract/durations';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import { describe, expect, it } from 'vitest';
import {
  clashesOf,
  daysOf,
  daysOfEvent,
  eachDay,
  eventsByDay,
  keyOf,
  rangeOf,
  stepView,
} from './calendar.rules.ts';

const event = (part: Partial<CalendarEvent>): CalendarEvent => ({
  kind: 'engagement',
  id: 'a',
  title: 'Weekend barista',
  businessName: 'Kopi & Crumb',
  startsAt: '2026-11-28T07:00:00.000Z',
  endsAt: '2026-11-28T13:00:00.000Z',
  timeZone: 'Europe/Amsterdam',
  status: 'booked',
  where: 'Westerstraat 112',
  path: '/tabs/menu/my-work/engagement/a',
  ...part,
});

describe('daysOf', () => {
  it('shows whole weeks around a month, for any first weekday', () => {
    expect(daysOf('month', '2026-11-21', 1)).toEqual({ first: '2026-10-26', last: '2026-12-06' });
    expect(daysOf('month', '2026-11-21', 0)).toEqual({ first: '2026-11-01', last: '2026-12-05' });
    expect(daysOf('week', '2026-11-22', 1)).toEqual({ first: '2026-11-16', last: '2026-11-22' });
    expect(eachDay(daysOf('week', '2026-11-22', 0))).toHaveLength(7);
  });
  it('never requests more than the server allows', () => {
    for (let month = '2026-01-01'; month < '2028-01-01'; month = stepView('month', month, 1)) {
      const { from, to } = rangeOf(daysOf('month', month, 1));
      expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(93 * dayMs);
    }
  });
  it('crosses the ends of months and years', () => {
    expect(stepView('month', '2026-12-31', 1)).toBe('2027-01-01');
    expect(stepView('month', '2026-03-31', -1)).toBe('2026-02-01');
    expect(stepView('week', '2026-12-29', 1)).toBe('2027-01-05');
  });
});

describe('the days of an event', () => {
  it('are those at its place, and midnight ends the day before', () => {
    const night = { startsAt: '2026-11-28T21:00:00.000Z', endsAt: '2026-11-29T01:00:00.000Z' };
    expect(daysOfEvent(event(night))).toEqual({ first: '2026-11-28', last: '2026-11-29' });
    expect(daysOfEvent(event({ ...night, endsAt: '2026-11-28T23:00:00.000Z' })).last).toBe('2026-11-28');
    expect(daysOfEvent(event({ ...night, timeZone: 'Asia/Tokyo' })).first).toBe('2026-11-29');
  });
  it('group the agenda; an earlier event is listed under its first day', () => {
    const night = event({ startsAt: '2026-11-28T21:00:00.000Z', endsAt: '2026-11-29T01:00:00.000Z' });
    expect(eventsByDay([night], { first: '2026-11-29', last: '2026-11-30' }).map(({ day }) => day)).toEqual([
      '2026-11-29',
    ]);
    expect(eventsByDay([night], { first: '2026-11-30', last: '2026-11-30' })).toEqual([]);
  });
});

describe('clashesOf', () => {
  const work = event({});
  it('marks overlaps both ways, but not adjacent events', () => {
    const talk = event({ kind: 'interview', id: 'b', startsAt: '2026-11-28T12:30:00.000Z' });
    const after = event({ id: 'c', startsAt: work.endsAt, endsAt: '2026-11-28T15:00:00.000Z' });
    const clashes = clashesOf([work, talk, after]);
    expect(clashes.get(keyOf(work))).toEqual([talk]);
    expect(clashes.get(keyOf(talk))).toEqual([work]);
    expect(clashes.has(keyOf(after))).toBe(false);
  });
  it('ignores the times proposed for one interview, and the last day of a task', () => {
    const slot = (startsAt: string) => event({ kind: 'interview', id: 'b', startsAt });
    const day = event({ id: 'd', startsAt: '2026-11-27T23:00:00.000Z', endsAt: '2026-11-28T23:00:00.000Z' });
    expect(clashesOf([slot('2026-11-28T08:00:00.000Z'), slot('2026-11-28T08:15:00.000Z'), day]).size).toBe(0);
  });
});
