import type { Availability } from '@nearhand/contract/people/profiles';
import { describe, expect, it } from 'vitest';
import { notFree } from './calendar.ts';

const grid = (...free: string[]) =>
  free.map((text) => {
    const [day, part] = text.split(' ');
    return { day, part };
  }) as Availability;
const hours = (startsAt: string, endsAt: string) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
});
const texts = (stretches: ReturnType<typeof notFree>) =>
  stretches.map(({ startsAt, endsAt }) => `${startsAt.toISOString()}/${endsAt.toISOString()}`);
const zone = 'Europe/Amsterdam';

describe('usually busy hours', () => {
  it('are empty without a schedule or with the whole week free', () => {
    const shift = hours('2026-11-23T08:00:00Z', '2026-11-23T16:00:00Z');
    expect(notFree([], shift, zone)).toEqual([]);
    expect(texts(notFree(grid('mon morning', 'mon afternoon'), shift, zone))).toEqual([]);
  });

  it("are split where parts of the day change, in the job's local time", () => {
    // Monday 09:00 to 17:00 in Amsterdam.
    const shift = hours('2026-11-23T08:00:00Z', '2026-11-23T16:00:00Z');
    expect(texts(notFree(grid('mon morning'), shift, zone))).toEqual([
      '2026-11-23T11:00:00.000Z/2026-11-23T16:00:00.000Z',
    ]);
    expect(texts(notFree(grid('mon morning', 'mon afternoon'), shift, 'Asia/Tokyo'))).toEqual([
      '2026-11-23T09:00:00.000Z/2026-11-23T16:00:00.000Z',
    ]);
  });

  it('span midnight', () => {
    // Friday 22:00 to Saturday 06:00.
    const shift = hours('2026-11-27T21:00:00Z', '2026-11-28T05:00:00Z');
    expect(texts(notFree(grid('fri evening'), shift, zone))).toEqual([
      '2026-11-27T23:00:00.000Z/2026-11-28T05:00:00.000Z',
    ]);
    expect(texts(notFree(grid('sat night'), shift, zone))).toEqual([
      '2026-11-27T21:00:00.000Z/2026-11-27T23:00:00.000Z',
    ]);
  });

  it('cross a night that is an hour shorter or longer', () => {
    // Sunday 28 March 2027: 02:00 to 03:00 does not exist; the night ends at 04:00 UTC.
    const spring = hours('2027-03-27T22:00:00Z', '2027-03-28T06:00:00Z');
    expect(texts(notFree(grid('sat evening', 'sun night'), spring, zone))).toEqual([
      '2027-03-28T04:00:00.000Z/2027-03-28T06:00:00.000Z',
    ]);
    // Sunday 31 October 2027: the hour from 02:00 repeats; the night ends at 05:00 UTC.
    const autumn = hours('2027-10-30T21:00:00Z', '2027-10-31T06:00:00Z');
    expect(texts(notFree(grid('sat evening', 'sun night'), autumn, zone))).toEqual([
      '2027-10-31T05:00:00.000Z/2027-10-31T06:00:00.000Z',
    ]);
  });

  it('follow zones with quarter-hour offsets and starts between quarters', () => {
    const shift = hours('2026-11-23T05:07:30Z', '2026-11-23T07:00:00Z');
    expect(texts(notFree(grid('mon afternoon'), shift, 'Asia/Kathmandu'))).toEqual([
      '2026-11-23T05:07:30.000Z/2026-11-23T06:15:00.000Z',
    ]);
  });
});
