import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxMinor, payForMinutes, seededFractions, shareOfAmount } from './arithmetic.ts';

const amount = fc.integer({ min: 0, max: maxMinor });
const basisPoints = fc.integer({ min: 0, max: 10_000 });
const minutes = fc.integer({ min: 0, max: 48 * 60 });

describe('shareOfAmount', () => {
  it('is the exact share rounded half up', () => {
    expect(shareOfAmount(1_995, 1_000)).toBe(200);
    expect(shareOfAmount(1_994, 1_000)).toBe(199);
    expect(shareOfAmount(5, 1_000)).toBe(1);
    fc.assert(
      fc.property(amount, basisPoints, (minor, points) => {
        const fee = BigInt(shareOfAmount(minor, points));
        const exact = BigInt(minor) * BigInt(points);
        expect(2n * fee * 10_000n).toBeGreaterThan(2n * exact - 10_000n);
        expect(2n * fee * 10_000n).toBeLessThanOrEqual(2n * exact + 10_000n);
      }),
    );
  });

  it('never exceeds the whole and never decreases as the amount grows', () => {
    fc.assert(
      fc.property(amount, amount, basisPoints, (a, b, points) => {
        expect(shareOfAmount(a, points)).toBeLessThanOrEqual(a);
        expect(shareOfAmount(Math.min(a, b), points)).toBeLessThanOrEqual(
          shareOfAmount(Math.max(a, b), points),
        );
      }),
    );
  });
});

describe('payForMinutes', () => {
  it('is exact for whole hours and rounds half up between', () => {
    expect(payForMinutes(1_750, 450)).toBe(13_125);
    expect(payForMinutes(1_999, 30)).toBe(1_000);
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 48 }), (rate, hours) => {
        expect(payForMinutes(rate, hours * 60)).toBe(rate * hours);
      }),
    );
  });

  it('loses less than a minor unit when a shift is split in two', () => {
    fc.assert(
      fc.property(amount, minutes, minutes, (rate, first, second) => {
        const parts = payForMinutes(rate, first) + payForMinutes(rate, second);
        expect(Math.abs(parts - payForMinutes(rate, first + second))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

it('gives the same random fractions for a seed', () => {
  const next = seededFractions(1);
  expect([next(), next()]).toEqual([0.6270739405881613, 0.002735721180215478]);
});
