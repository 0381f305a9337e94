import { describe, expect, it } from 'vitest';
import { agreedPay } from '../money/releases.rules.ts';
import { boundsProblem, payBounds, silentMinor, silentOutcome, tipUntil, workedBounds } from './pay.rules.ts';

describe('pay bounds', () => {
  it('are the agreed amount, and the planned pay or the highest claim', () => {
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
      'too-little',
      null,
      null,
      'too-much',
    ]);
  });
});

it('a tip can be added until the same time of day that many days later', () => {
  expect(tipUntil(new Date('2026-11-01T10:00:00Z'), 30).toISOString()).toBe('2026-12-01T10:00:00.000Z');
});

describe('silentOutcome', () => {
  const facts = {
    plannedMinor: 1_000,
    agreedMinor: 0,
    recordedMinor: 900,
    attended: true,
    toleranceMinor: 50,
  };
  const claim = (by: 'worker' | 'business' | 'timer', amountMinor: number) => ({ by, amountMinor });
  const outcome = (
    claims: ReturnType<typeof claim>[],
    options: Partial<Omit<typeof facts, 'recordedMinor'>> & { recordedMinor?: number | null },
  ) => silentOutcome({ ...facts, claims, ...options });

  it('approves a claim within the plan, and a delivery', () => {
    expect(outcome([claim('worker', 950)], {})).toEqual({ kind: 'auto-approve', amountMinor: 950 });
    expect(outcome([], {})).toEqual({ kind: 'auto-approve', amountMinor: 1_000 });
  });
  it('pays the plan of a claim beyond it and reviews the rest', () => {
    expect(outcome([claim('worker', 1_200)], {})).toMatchObject({ kind: 'review', amountMinor: 1_000 });
    // The business agreed to more before.
    expect(outcome([claim('worker', 1_200)], { agreedMinor: 1_100 })).toMatchObject({
      kind: 'review',
      amountMinor: 1_100,
    });
  });
  it('opens no dispute about a few minutes beyond the plan', () => {
    expect(outcome([claim('worker', 1_050)], {})).toEqual({ kind: 'auto-approve', amountMinor: 1_000 });
    expect(outcome([claim('worker', 1_051)], {})).toMatchObject({ kind: 'review', amountMinor: 1_000 });
  });
  it('pays nothing for timer hours without attendance', () => {
    expect(outcome([claim('timer', 1_000)], { attended: false, recordedMinor: null })).toEqual({
      kind: 'review',
      why: 'no-check-in',
      amountMinor: 0,
    });
    expect(outcome([claim('timer', 500)], { attended: false })).toMatchObject({ why: 'beyond-plan' });
  });
  it('settles a counter-proposal by the record, between it and the claim', () => {
    const countered = (recordedMinor: number | null) =>
      outcome([claim('worker', 950), claim('business', 600)], { agreedMinor: 600, recordedMinor });
    expect(countered(900)).toEqual({ kind: 'pay-recorded', amountMinor: 900 });
    expect(countered(500)).toEqual({ kind: 'pay-recorded', amountMinor: 600 });
    expect(countered(1_000)).toEqual({ kind: 'pay-recorded', amountMinor: 950 });
    expect(countered(null)).toEqual({ kind: 'review', why: 'counter', amountMinor: 600 });
  });
  it("is capped by the business's agreed amount", () => {
    expect(silentMinor(5_000, { plannedMinor: 1_000, agreedMinor: 0 })).toBe(1_000);
    expect(silentMinor(5_000, { plannedMinor: 1_000, agreedMinor: 0, businessMinor: 1_300 })).toBe(1_300);
    expect(silentMinor(0, { plannedMinor: 1_000, agreedMinor: 400 })).toBe(400);
  });
});
