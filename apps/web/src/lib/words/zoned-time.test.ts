import { addDays } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import {
  clockIn,
  instantAt,
  repeatedTimes,
  sameWeekdayAhead,
  skippedTime,
  spanAt,
  zoneTown,
} from './zoned-time.ts';

describe('instantAt', () => {
  it('reads a clock in winter and in summer', () => {
    expect(instantAt('2026-11-28', '08:00', 'Europe/Amsterdam')).toBe('2026-11-28T07:00:00.000Z');
    expect(instantAt('2026-07-01', '08:00', 'Europe/Amsterdam')).toBe('2026-07-01T06:00:00.000Z');
    expect(instantAt('2026-11-28', '22:00', 'America/New_York')).toBe('2026-11-29T03:00:00.000Z');
  });

  it('returns no skipped time, and distinguishes repeated ones', () => {
    expect(instantAt('2027-03-28', '02:30', 'Europe/Amsterdam')).toBeNull();
    expect(instantAt('2026-10-25', '02:30', 'Europe/Amsterdam')).toBe('2026-10-25T00:30:00.000Z');
    expect(instantAt('2026-10-25', '02:30+', 'Europe/Amsterdam')).toBe('2026-10-25T01:30:00.000Z');
    expect(instantAt('2026-11-01', '01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    expect(instantAt('2026-11-01', '01:30+', 'America/New_York')).toBe('2026-11-01T06:30:00.000Z');
    expect(instantAt('2026-11-01', '03:30+', 'America/New_York')).toBe('2026-11-01T08:30:00.000Z');
  });

  it('returns null for an invalid day or time', () => {
    expect(instantAt('', '08:00', 'UTC')).toBeNull();
    expect(instantAt('2026-02-30', '08:00', 'UTC')).toBeNull();
    expect(instantAt('2026-02-20', '8', 'UTC')).toBeNull();
    expect(instantAt('2026-02-20', '25:00', 'UTC')).toBeNull();
  });
});

describe('clockIn', () => {
  it('is the inverse', () => {
    expect(clockIn('2026-11-29T03:00:00.000Z', 'America/New_York')).toEqual({
      day: '2026-11-28',
      time: '22:00',
    });
    expect(clockIn('2026-11-28T23:00:00.000Z', 'Europe/Amsterdam')).toEqual({
      day: '2026-11-29',
      time: '00:00',
    });
  });
});

describe('sameWeekdayAhead', () => {
  it.each([
    ['in the future', '2026-11-24T09:00:00Z', '2026-12-01'],
    ['an hour ago', '2026-11-21T08:00:00Z', '2026-11-28'],
    ['a year ago', '2025-11-22T23:30:00Z', '2026-11-22'],
  ])('follows a time %s', (_when, instant, day) => {
    expect(sameWeekdayAhead(instant, 'Europe/Amsterdam', new Date('2026-11-21T09:00:00Z'))).toBe(day);
  });
});

describe('clockIn and instantAt', () => {
  it.each([
    'Europe/Amsterdam',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kathmandu',
  ])(
    'match for every quarter of an hour around a clock change back in %s, and others of two years',
    (zone) => {
      const quarter = 900_000;
      const step = 25 * quarter;
      const lost: string[] = [];
      let offset: number | null = null;
      const check = (ms: number): number => {
        const instant = new Date(ms).toISOString();
        const { day, time } = clockIn(instant, zone);
        if (instantAt(day, time, zone) !== instant) lost.push(instant);
        return Date.parse(`${day}T${time}Z`) - ms;
      };
      for (let ms = Date.parse('2026-01-01T00:00Z'); ms < Date.parse('2028-01-01T00:00Z'); ms += step) {
        const next = check(ms);
        if (offset !== null && next !== offset)
          for (let near = ms - 2 * step; near < ms + 2 * step; near += quarter) check(near);
        offset = next;
      }
      expect(lost).toEqual([]);
    },
  );
});

describe('spanAt', () => {
  const newYork = 'America/New_York';
  it('ends at the first such time after the start', () => {
    const night = { day: '2027-11-06', from: '20:00', to: '01:30' };
    expect(spanAt(night, newYork)).toEqual({
      startsAt: '2027-11-07T00:00:00.000Z',
      endsAt: '2027-11-07T05:30:00.000Z',
      overnight: true,
    });
    expect(spanAt({ ...night, to: '01:30+' }, newYork)?.endsAt).toBe('2027-11-07T06:30:00.000Z');
    // 02:45 before the clocks go back, 02:15 after: half an hour, not a day.
    expect(spanAt({ day: '2027-10-31', from: '02:45', to: '02:15' }, 'Europe/Amsterdam')).toEqual({
      startsAt: '2027-10-31T00:45:00.000Z',
      endsAt: '2027-10-31T01:15:00.000Z',
      overnight: false,
    });
  });

  it('asks about a time that occurs twice only if it is ambiguous', () => {
    const night = { day: '2027-11-06', from: '20:00', to: '01:30' };
    expect(repeatedTimes(night, newYork)).toEqual([{ field: 'to', time: '01:30', isSecond: false }]);
    expect(repeatedTimes({ ...night, to: '01:30+' }, newYork)).toEqual([
      { field: 'to', time: '01:30', isSecond: true },
    ]);
    expect(repeatedTimes({ ...night, to: '03:30' }, newYork)).toEqual([]);
    expect(repeatedTimes({ day: '2027-11-07', from: '01:45', to: '01:15' }, newYork)).toEqual([
      { field: 'from', time: '01:45', isSecond: false },
    ]);
  });

  it('reports a skipped time', () => {
    const zone = 'Europe/Amsterdam';
    expect(skippedTime({ day: '2027-03-28', from: '02:30', to: '06:00' }, zone)).toBe('from');
    expect(skippedTime({ day: '2027-03-27', from: '22:00', to: '02:30' }, zone)).toBe('to');
    expect(skippedTime({ day: '2027-03-28', from: '01:00', to: '02:30' }, zone)).toBe('to');
    expect(skippedTime({ day: '2027-03-28', from: '01:00', to: '06:00' }, zone)).toBeNull();
    expect(skippedTime({ day: '', from: '02:30', to: '' }, zone)).toBeNull();
  });
});

it('counts days across months, and names the town of a zone', () => {
  expect(addDays('2026-11-30', 1)).toBe('2026-12-01');
  expect(zoneTown('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
});
