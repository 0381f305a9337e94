import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobCost } from './job-cost.ts';
import { workerGetsMinor } from './pay.rules.ts';

const fees = { businessFeeBasisPoints: 1_000, workerFeeBasisPoints: 0 };
const basisPoints = fc.integer({ min: 0, max: 10_000 });
const minutes = fc.integer({ min: 0, max: 48 * 60 });

describe('the cost of a job', () => {
  it('is the pay of all spots and the fee of each', () => {
    expect(jobCost({ kind: 'shift', payMinor: 1_800, paidMinutes: 360, headCount: 2, ...fees })).toEqual({
      payEachMinor: 10_800,
      workerGetsMinor: 10_800,
      payAllMinor: 21_600,
      businessFeeMinor: 2_160,
      totalMinor: 23_760,
    });
  });

  it("matches the total on the job's card for the worker", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        minutes,
        basisPoints,
        (payMinor, paidMinutes, fee) => {
          const cost = jobCost({
            kind: 'shift',
            payMinor,
            paidMinutes,
            headCount: 1,
            ...fees,
            workerFeeBasisPoints: fee,
          });
          const card = { minor: payMinor, totalMinor: cost.payEachMinor, workerFeeBasisPoints: fee };
          expect(workerGetsMinor(card)).toBe(cost.workerGetsMinor);
        },
      ),
    );
  });

  it('rounds the fee per spot, since each spot has its own hold', () => {
    const cost = jobCost({ kind: 'task', payMinor: 1_005, paidMinutes: 0, headCount: 3, ...fees });
    expect(cost.businessFeeMinor).toBe(303);
    expect(cost.totalMinor).toBe(3_318);
  });

  it('pays a third of an hour to the nearest minor unit', () => {
    expect(
      jobCost({ kind: 'shift', payMinor: 1_000, paidMinutes: 20, headCount: 1, ...fees }).payEachMinor,
    ).toBe(333);
  });

  const input = fc.record({
    kind: fc.constantFrom('shift' as const, 'task' as const),
    payMinor: fc.integer({ min: 1, max: 10_000_000 }),
    paidMinutes: minutes,
    headCount: fc.integer({ min: 1, max: 500 }),
    businessFeeBasisPoints: basisPoints,
    workerFeeBasisPoints: basisPoints,
  });

  it('adds up to the minor unit, spot by spot', () => {
    fc.assert(
      fc.property(input, (job) => {
        const all = jobCost(job);
        const single = jobCost({ ...job, headCount: 1 });
        expect(all.totalMinor).toBe(single.totalMinor * job.headCount);
        expect(all.totalMinor).toBe(all.payAllMinor + all.businessFeeMinor);
        expect(all.payAllMinor).toBe(all.payEachMinor * job.headCount);
        expect(all.workerGetsMinor).toBeLessThanOrEqual(all.payEachMinor);
        expect(all.workerGetsMinor).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(all.totalMinor)).toBe(true);
      }),
    );
  });

  it('is the pay alone without a fee', () => {
    const job = { kind: 'task', payMinor: 12_000, paidMinutes: 0, headCount: 3 } as const;
    expect(jobCost({ ...job, businessFeeBasisPoints: 0, workerFeeBasisPoints: 0 })).toEqual({
      payEachMinor: 12_000,
      workerGetsMinor: 12_000,
      payAllMinor: 36_000,
      businessFeeMinor: 0,
      totalMinor: 36_000,
    });
    expect(jobCost({ ...job, businessFeeBasisPoints: 1_000, workerFeeBasisPoints: 500 })).toMatchObject({
      workerGetsMinor: 11_400,
      businessFeeMinor: 3_600,
      totalMinor: 39_600,
    });
  });
});
