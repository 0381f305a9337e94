import { shareOfAmount } from '@nearhand/contract/arithmetic';
import { holdStatuses } from '@nearhand/contract/money/holds';
import { describe, expect, it } from 'vitest';
import {
  costOfRelease,
  endOfHold,
  feesOfRelease,
  fundedBy,
  type HoldMoveName,
  holdMoves,
  nextHoldStatus,
  overtimeLeft,
  payCovered,
} from './holds.rules.ts';

const fees = { businessFeeBasisPoints: 1_000, workerFeeBasisPoints: 250 };

describe('hold states', () => {
  const actions = [...new Set(holdMoves.map(([, action]) => action))];

  it('follow the table, from every state by every action', () => {
    for (const from of holdStatuses)
      for (const action of actions) {
        const targets = holdMoves.filter(([before, name]) => before === from && name === action);
        expect(targets.length, `${from} ${action}`).toBeLessThanOrEqual(1);
        const isRepeat = holdMoves.some(([, name, to]) => name === action && to === from);
        const expected = targets[0]?.[2] ?? (isRepeat ? from : null);
        expect(nextHoldStatus(from, action), `${from} ${action}`).toBe(expected);
      }
  });

  it('are all reachable, and expired is final', () => {
    const reached = new Set(['created', ...holdMoves.map(([, , to]) => to)]);
    expect([...reached].sort()).toEqual([...holdStatuses].sort());
    expect(holdMoves.some(([from]) => from === 'expired')).toBe(false);
  });

  it('end with an allowed move', () => {
    for (const status of holdStatuses)
      for (const paid of [true, false])
        for (const back of [true, false]) {
          const action = endOfHold(status, { paid, back });
          // A partly released hold is no longer `held`.
          if (action === null || (status === 'held' && paid)) continue;
          expect(nextHoldStatus(status, action as HoldMoveName), `${status} ${action}`).not.toBeNull();
        }
    expect(endOfHold('disputed', { paid: true, back: true })).toBe('split');
    expect(endOfHold('disputed', { paid: true, back: false })).toBe('finish');
    expect(endOfHold('disputed', { paid: false, back: true })).toBe('refund');
    expect(endOfHold('held', { paid: false, back: true })).toBe('refund');
    expect(endOfHold('refunded', { paid: false, back: true })).toBeNull();
  });
});

describe('fees of partial releases', () => {
  it('add up to the fee of the whole for any split', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let run = 0; run < 500; run += 1) {
      const whole = 1 + random(200_000);
      let before = 0;
      let business = 0;
      let worker = 0;
      while (before < whole) {
        const part = Math.min(whole - before, 1 + random(40_000));
        const of = feesOfRelease(before, part, fees);
        expect(of.feeMinor).toBeGreaterThanOrEqual(0);
        business += of.feeMinor;
        worker += of.workerFeeMinor;
        before += part;
      }
      expect(business).toBe(shareOfAmount(whole, fees.businessFeeBasisPoints));
      expect(worker).toBe(shareOfAmount(whole, fees.workerFeeBasisPoints));
    }
  });

  it('leave the largest pay that an amount covers', () => {
    for (let before = 0; before < 40; before += 7)
      for (let amount = 0; amount < 60; amount += 1)
        for (let request = 0; request < 50; request += 3) {
          const pay = payCovered(amount, before, request, fees);
          expect(pay === 0 || costOfRelease(before, pay, fees) <= amount).toBe(true);
          const more = pay < request && costOfRelease(before, pay + 1, fees) <= amount;
          expect(more, `${amount} ${before} ${request}`).toBe(false);
        }
  });

  it('take at most the overtime cap, with its fee', () => {
    const tenth = { businessFeeBasisPoints: 1_000, workerFeeBasisPoints: 0 };
    expect(overtimeLeft(10_000, 2_500, 0, tenth)).toBe(2_750);
    expect(overtimeLeft(10_000, 2_500, 2_000, tenth)).toBe(750);
    expect(overtimeLeft(10_000, 2_500, 9_000, tenth)).toBe(0);
  });
});

describe('the funding shown for a hold', () => {
  it.each([
    [14_438, 0, 14_438, 'funded'],
    [14_438, 5_000, 9_438, 'funded'],
    [14_438, 0, 16_363, 'funded'],
    [14_438, 14_438, 0, 'funded'],
    [0, 0, 0, 'funded'],
    [14_438, 0, 14_437, 'partly_funded'],
    [14_438, 14_000, 1, 'partly_funded'],
    [14_438, 0, 0, 'not_funded'],
    [14_438, 14_437, 0, 'not_funded'],
  ] as const)(
    'of %i planned, with %i paid and %i in the hold, is %s',
    (plannedMinor, paidMinor, heldMinor, said) => {
      expect(fundedBy({ plannedMinor, paidMinor, heldMinor })).toBe(said);
    },
  );
});
