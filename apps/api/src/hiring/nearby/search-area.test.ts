import { metresBetween } from '@nearhand/contract/people/great-circle';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { radiusInForce } from './nearby.ts';
import { squaresAround } from './search-area.ts';

describe('squaresAround', () => {
  it('includes the square of every point within the radius', () => {
    const near = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
      turn: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      metres: fc.constantFrom(100, 5_000, 25_000, 100_000),
    });
    fc.assert(
      fc.property(near, ({ lat, lng, turn, share, metres }) => {
        const there = {
          lat: Math.max(-90, Math.min(90, lat + (share * metres * Math.cos(turn)) / 111_195)),
          lng:
            lng +
            (share * metres * Math.sin(turn)) / 111_195 / Math.max(0.001, Math.cos((lat * Math.PI) / 180)),
        };
        there.lng = ((((there.lng + 180) % 360) + 360) % 360) - 180;
        if (metresBetween({ lat, lng }, there) > metres) return;
        const own = squaresAround(there, 0);
        const reached = new Set(squaresAround({ lat, lng }, metres));
        expect(own.some((square) => reached.has(square))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('radiusInForce', () => {
  it('returns the first radius with ten jobs, otherwise the widest', () => {
    const at = (km: number, count: number) => Array.from({ length: count }, () => km * 1000);
    expect(radiusInForce(25, at(10, 10))).toBe(25);
    expect(radiusInForce(25, [...at(10, 9), ...at(40, 1)])).toBe(50);
    expect(radiusInForce(7, [...at(1, 9), ...at(8, 1)])).toBe(10);
    expect(radiusInForce(25, at(10, 9))).toBe(100);
    expect(radiusInForce(100, [])).toBe(100);
  });
});
