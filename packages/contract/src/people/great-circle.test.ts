import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chordOfMetres, earthRadiusM, metresBetween, metresOfChord } from './great-circle.ts';

const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('metresBetween', () => {
  it('matches known distances', () => {
    expect(metresBetween({ lat: 52.3728, lng: 4.8936 }, { lat: 40.7127, lng: -74.0059 }) / 1000).toBeCloseTo(
      5_863,
      -1,
    );
    expect(metresBetween({ lat: 0, lng: 179.99 }, { lat: 0, lng: -179.99 })).toBeCloseTo(2_223.9, 0);
    expect(metresBetween({ lat: 89.99, lng: 0 }, { lat: 89.99, lng: 180 })).toBeCloseTo(2_223.9, 0);
    expect(metresBetween({ lat: 90, lng: 10 }, { lat: 90, lng: -120 })).toBeLessThan(0.001);
    expect(metresBetween({ lat: -90, lng: 0 }, { lat: 90, lng: 0 })).toBeCloseTo(Math.PI * earthRadiusM, 0);
  });

  it('is symmetric, and satisfies the triangle inequality', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, c) => {
        expect(metresBetween(a, b)).toBe(metresBetween(b, a));
        expect(metresBetween(a, c)).toBeLessThanOrEqual(metresBetween(a, b) + metresBetween(b, c) + 0.5);
      }),
    );
  });

  it('converts a chord to the distance along the ground and back', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10_000_000, noNaN: true }), (metres) => {
        expect(metresOfChord(chordOfMetres(metres))).toBeCloseTo(metres, 4);
      }),
    );
  });
});
