import { describe, expect, it } from 'vitest';
import { clockIn, dayAfter, instantAt, zoneTown } from './zoned-time.ts';

describe('instantAt', () => {
  it('reads a clock in winter and in summer', () => {
    expect(instantAt('2026-11-28', '08:00', 'Europe/Amsterdam')).toBe('2026-11-28T07:00:00.000Z');
    expect(instantAt('2026-07-01', '08:00', 'Europe/Amsterdam')).toBe('2026-07-01T06:00:00.000Z');
    expect(instantAt('2026-11-28', '22:00', 'America/New_York')).toBe('2026-11-29T03:00:00.000Z');
  });

  it('shifts a skipped hour and takes the first of a repeated one', () => {
    expect(instantAt('2027-03-28', '02:30', 'Europe/Amsterdam')).toBe('2027-03-28T01:30:00.000Z');
    expect(instantAt('2026-10-25', '02:30', 'Europe/Amsterdam')).toBe('2026-10-25T00:30:00.000Z');
    expect(instantAt('2026-11-01', '01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
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

it('counts days over months, and names the town of a zone', () => {
  expect(dayAfter('2026-11-30', 1)).toBe('2026-12-01');
  expect(zoneTown('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
});
