import { describe, expect, it } from 'vitest';
import { agreedPay } from '../money/releases.rules.ts';
import { boundsProblem, payBounds, tipUntil, workedBounds } from './pay.rules.ts';

describe('pay bounds', () => {
  it('are what is agreed, and the planned pay or the highest claim', () => {
    expect(payBounds({ agreedMinor: 400, plannedMinor: 1_000, claims: [] })).toEqual({
      minMinor: 400,
      maxMinor: 1_000,
    });
    const claims = [{ amountMinor: 900 }, { amountMinor: 1_200 }];
    expect(payBounds({ agreedMinor: 0, plannedMinor: 1_000, claims }).maxMinor).toBe(1_200);
  });

  it('count only pay as agreed', () => {
    const release = (kind: Parameters<typeof agreedPay>[0][number]['kind']) => ({ kind, amountMinor: 100 });
    expect(agreedPay([release('undisputed'), release('rest')])).toBe(200);
    expect(agreedPay([release('compensation'), release('tip'), release('bonus')])).toBe(0);
  });

  it('are inclusive', () => {
    const bounds = workedBounds(1_000);
    expect([0, 1, 1_000, 1_001].map((amount) => boundsProblem(amount, bounds))).toEqual([
      ...['too-little', null, null, 'too-much'],
    ]);
  });
});

it('a tip can be added until its last day is over', () => {
  expect(tipUntil(new Date('2026-11-01T10:00:00Z'), 30).toISOString()).toBe('2026-12-01T10:00:00.000Z');
});
