import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clampToEarliest,
  distanceToPlace,
  eventTime,
  minuteEnd,
  minuteOf,
  minutesAround,
} from './attendance.rules.ts';

const now = new Date('2026-11-26T09:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();
const weekMs = 7 * dayMs;

describe('server time', () => {
  it("depends only on the event's age, not on the device's clock", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50 * 365 * dayMs, max: 50 * 365 * dayMs }),
        fc.integer({ min: 0, max: weekMs }),
        (wrongBy, age) => {
          const sentAt = now.getTime() + wrongBy;
          const reckoned = eventTime({ at: iso(sentAt - age), sentAt: iso(sentAt) }, now);
          expect(reckoned?.at.getTime()).toBe(now.getTime() - age);
          expect(reckoned?.flags.includes('queued')).toBe(age > 120_000);
          expect(reckoned?.flags.includes('clock_off')).toBe(Math.abs(wrongBy) > 120_000);
        },
      ),
    );
  });

  it("can't be after sending, nor older than a week", () => {
    const sentAt = now.toISOString();
    expect(eventTime({ at: iso(now.getTime() + 1), sentAt }, now)).toBeNull();
    expect(eventTime({ at: iso(now.getTime() - weekMs), sentAt }, now)).not.toBeNull();
    expect(eventTime({ at: iso(now.getTime() - weekMs - 1), sentAt }, now)).toBeNull();
    expect(eventTime({ at: 'nonsense', sentAt }, now)).toBeNull();
  });

  it('is corrected when the network swapped two, and no further', () => {
    const earlier = (ms: number) => clampToEarliest(subtractMs(now, ms), now);
    expect(earlier(0)).toEqual(now);
    expect(earlier(120_000)).toEqual(now);
    expect(earlier(120_001)).toBeNull();
    expect(clampToEarliest(addMs(now, 5), now)?.getTime()).toBe(now.getTime() + 5);
  });
});

describe('the place', () => {
  const place = { lat: 52.3792, lng: 4.8831 };
  const settings = { CHECK_IN_RADIUS_M: 150 };

  it('never accepts a position beyond the radius and the cap, at any claimed accuracy', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: 0, max: 50_000_000, noNaN: true }),
        (lat, lng, accuracyM) => {
          const { near, distanceM } = distanceToPlace({ lat, lng, accuracyM }, place, settings);
          if (distanceM > 400) expect(near).toBe(false);
          expect(Number.isSafeInteger(distanceM)).toBe(true);
        },
      ),
    );
    expect(distanceToPlace({ ...place, accuracyM: 0.4 }, place, settings)).toEqual({
      distanceM: 0,
      accuracyM: 0,
      near: true,
    });
  });

  it('works across the date line', () => {
    const there = { lat: 0, lng: 179.9999 };
    expect(distanceToPlace({ lat: 0, lng: -179.9999, accuracyM: 5 }, there, settings)).toMatchObject({
      distanceM: 22,
      near: true,
    });
  });
});

describe('valid minutes of a code', () => {
  it('include the current one and two either side', () => {
    const minute = minuteOf(now);
    expect(minutesAround(now).toSorted()).toEqual([-2, -1, 0, 1, 2].map((step) => minute + step));
    expect(minuteEnd(minute)).toEqual(new Date('2026-11-26T09:01:00Z'));
  });
});
