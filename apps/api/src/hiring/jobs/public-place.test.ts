import { metresBetween } from '@nearhand/contract/people/great-circle';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicPlace } from './jobs.ts';

const point = fc.record({
  lat: fc.double({ min: -89.8, max: 89.8, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('publicPlace', () => {
  it('is off by 60 to 500 m, consistently, including pins a few metres off (ADR 8)', () => {
    fc.assert(
      fc.property(point, fc.uuid(), (place, salt) => {
        const blurred = publicPlace(salt, { ...place, privateAddress: true });
        const off = metresBetween(place, blurred);
        expect(off).toBeGreaterThan(60);
        expect(off).toBeLessThan(500);
        expect(publicPlace(salt, { ...place, privateAddress: true })).toEqual(blurred);
        expect(Math.abs(blurred.lng)).toBeLessThanOrEqual(180);
      }),
    );
    const middle = { lat: 52.372, lng: 4.8902, privateAddress: true };
    const beside = { ...middle, lat: 52.37205, lng: 4.89025 };
    expect(publicPlace('a', beside)).toEqual(publicPlace('a', middle));
    expect(publicPlace('b', middle)).not.toEqual(publicPlace('a', middle));
  });

  it('returns the exact place unless it is private', () => {
    expect(publicPlace('a', { lat: 1.23456789, lng: 2, privateAddress: false })).toEqual({
      lat: 1.23456789,
      lng: 2,
    });
  });
});
