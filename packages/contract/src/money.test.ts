import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobCost, paidMinutes } from './job-cost.ts';
import { maxMinor, payForMinutes, share } from './money.ts';

const amount = fc.integer({ min: 0, max: maxMinor });
const basisPoints = fc.integer({ min: 0, max: 10_000 });
const minutes = fc.integer({ min: 0, max: 48 * 60 });

describe('share', () => {
  it('is the exact share rounded half up', () => {
    expect(share(1_995, 1_000)).toBe(200);
    expect(share(1_994, 1_000)).toBe(199);
    expect(share(5, 1_000)).toBe(1);
    fc.assert(
      fc.property(amount, basisPoints, (minor, points) => {
        const fee = BigInt(share(minor, points));
        const exact = BigInt(minor) * BigInt(points);
        expect(2n * fee * 10_000n).toBeGreaterThan(2n * exact - 10_000n);
        expect(2n * fee * 10_000n).toBeLessThanOrEqual(2n * exact + 10_000n);
      }),
    );
  });

  it('never exceeds the whole and never falls as the amount grows', () => {
    fc.assert(
      fc.property(amount, amount, basisPoints, (a, b, points) => {
        expect(share(a, points)).toBeLessThanOrEqual(a);
        expect(share(Math.min(a, b), points)).toBeLessThanOrEqual(share(Math.max(a, b), points));
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

  it('loses less than a minor unit when a shift is cut in two', () => {
    fc.assert(
      fc.property(amount, minutes, minutes, (rate, first, second) => {
        const parts = payForMinutes(rate, first) + payForMinutes(rate, second);
        expect(Math.abs(parts - payForMinutes(rate, first + second))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('jobCost', () => {
  const input = fc.record({
    kind: fc.constantFrom('shift' as const, 'task' as const),
    payMinor: fc.integer({ min: 1, max: 10_000_000 }),
    paidMinutes: minutes,
    headCount: fc.integer({ min: 1, max: 500 }),
    merchantFeeBasisPoints: basisPoints,
    workerFeeBasisPoints: basisPoints,
  });

  it('adds up to the minor unit, seat by seat', () => {
    fc.assert(
      fc.property(input, (job) => {
        const all = jobCost(job);
        const one = jobCost({ ...job, headCount: 1 });
        expect(all.totalMinor).toBe(one.totalMinor * job.headCount);
        expect(all.totalMinor).toBe(all.payAllMinor + all.merchantFeeMinor);
        expect(all.payAllMinor).toBe(all.payEachMinor * job.headCount);
        expect(all.workerGetsMinor).toBeLessThanOrEqual(all.payEachMinor);
        expect(all.workerGetsMinor).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(all.totalMinor)).toBe(true);
      }),
    );
  });

  it('costs the pay alone where no fee is taken', () => {
    const job = { kind: 'task', payMinor: 12_000, paidMinutes: 0, headCount: 3 } as const;
    expect(jobCost({ ...job, merchantFeeBasisPoints: 0, workerFeeBasisPoints: 0 })).toEqual({
      payEachMinor: 12_000,
      workerGetsMinor: 12_000,
      payAllMinor: 36_000,
      merchantFeeMinor: 0,
      totalMinor: 36_000,
    });
    expect(jobCost({ ...job, merchantFeeBasisPoints: 1_000, workerFeeBasisPoints: 500 })).toMatchObject({
      workerGetsMinor: 11_400,
      merchantFeeMinor: 3_600,
      totalMinor: 39_600,
    });
  });
});

describe('paidMinutes', () => {
  it('leaves an unpaid break out and never falls below zero', () => {
    const start = new Date('2026-12-01T08:00:00Z');
    const end = new Date('2026-12-01T16:30:00Z');
    expect(paidMinutes(start, end, 30, false)).toBe(480);
    expect(paidMinutes(start, end, 30, true)).toBe(510);
    expect(paidMinutes(start, start, 30, false)).toBe(0);
  });
});
