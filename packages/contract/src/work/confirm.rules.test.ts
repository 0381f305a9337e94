import { describe, expect, it } from 'vitest';
import { settingDefaults } from '../setting-defaults.ts';
import { confirmByFor, confirmTimes } from './confirm.rules.ts';

const zone = 'Europe/Amsterdam';
const times = (startsAt: string) =>
  Object.values(confirmTimes(new Date(startsAt), zone, settingDefaults)).map((at) =>
    at.toISOString().slice(5, 16),
  );

describe('the times to confirm a shift', () => {
  it.each([
    ['06:00, all by day', '2026-11-26T05:00:00Z', ['11-24T17:00', '11-25T09:00', '11-25T13:00']],
    [
      '09:00, 36 hours before is 21:00',
      '2026-11-26T08:00:00Z',
      ['11-24T20:00', '11-25T12:00', '11-25T16:00'],
    ],
    ['10:00, 22:00 becomes 21:00', '2026-11-26T09:00:00Z', ['11-24T20:00', '11-25T13:00', '11-25T17:00']],
    [
      '19:30, 07:30 and 23:30 become 21:00, 03:30 becomes 08:00',
      '2026-11-26T18:30:00Z',
      ['11-24T20:00', '11-25T20:00', '11-26T07:00'],
    ],
    [
      '20:00, 08:00 is by day, 04:00 becomes 08:00',
      '2026-11-26T19:00:00Z',
      ['11-25T07:00', '11-25T20:00', '11-26T07:00'],
    ],
    ['13:59, the deadline is 21:59', '2026-11-26T12:59:00Z', ['11-24T20:00', '11-25T16:59', '11-25T20:59']],
    [
      '14:00, 22:00 becomes 08:00, six hours before the start',
      '2026-11-26T13:00:00Z',
      ['11-24T20:00', '11-25T17:00', '11-26T07:00'],
    ],
    [
      '13:00 after clocks went back, 08:00 would leave five hours',
      '2026-10-25T12:00:00Z',
      ['10-23T19:00', '10-24T16:00', '10-24T20:00'],
    ],
    ['03:30, 07:30 becomes 21:00', '2026-11-26T02:30:00Z', ['11-24T14:30', '11-24T20:00', '11-25T10:30']],
    [
      '10:00, clocks went back the night before',
      '2026-10-25T09:00:00Z',
      ['10-23T19:00', '10-24T13:00', '10-24T17:00'],
    ],
  ])('%s', (_, startsAt, expected) => {
    expect(times(startsAt)).toEqual(expected);
  });

  it('never fall in the night, and keep their order', () => {
    for (let minutes = 0; minutes < 7 * 24 * 60; minutes += 15) {
      const startsAt = new Date(Date.UTC(2027, 2, 25) + minutes * 60_000);
      const { askAt, askAgainAt, confirmBy } = confirmTimes(startsAt, zone, settingDefaults);
      expect(askAt < askAgainAt && askAgainAt < confirmBy, startsAt.toISOString()).toBe(true);
      for (const [at, latest] of [
        [askAt, '21:00:00'],
        [askAgainAt, '21:00:00'],
        [confirmBy, '22:00:00'],
      ] as const) {
        const time = at.toLocaleTimeString('en-GB', { timeZone: zone });
        expect(time >= '08:00:00' && time <= latest, time).toBe(true);
      }
    }
  });

  it('apply to a shift only if both questions are still to come', () => {
    const startsAt = new Date('2026-11-26T09:00:00Z');
    const at = (now: string) =>
      confirmByFor(startsAt, zone, settingDefaults, new Date(now))?.toISOString() ?? null;
    expect(at('2026-11-24T19:59:59Z')).toBe('2026-11-25T17:00:00.000Z');
    expect(at('2026-11-24T20:00:00Z')).toBeNull();
    expect(confirmByFor(null, zone, settingDefaults, startsAt)).toBeNull();
  });
});
