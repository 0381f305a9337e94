import { subtractMs } from '@nearhand/contract/durations';
import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import { withdrawalStatuses } from '@nearhand/contract/money/payouts';
import { describe, expect, it } from 'vitest';
import {
  canCancel,
  movesTowards,
  nextWithdrawalStatus,
  type WithdrawalMoveName,
  withdrawalMoves,
} from './withdrawals.rules.ts';

const actions: WithdrawalMoveName[] = [
  'review',
  'release',
  'refuse',
  'cancel',
  'send',
  'accept',
  'pay',
  'fail',
  'return',
];
const provider = ['processing', 'in_transit', 'paid', 'failed', 'returned'] as const;
const order = ['requested', 'in_review', 'processing', 'in_transit', 'paid', 'returned'];

describe('withdrawal states', () => {
  it('follow only the table', () => {
    for (const from of withdrawalStatuses)
      for (const action of actions)
        for (const who of ['worker', 'business', 'operator', 'timer'] as const) {
          const to = nextWithdrawalStatus(from, action, who);
          const row = withdrawalMoves.find(
            (move) => move[0] === from && move[1] === action && move[2] === who,
          );
          if (row) expect(to).toBe(row[3]);
          else expect([null, from]).toContain(to);
        }
  });

  it('never go back, and end in a final state', () => {
    for (const [from, , , to] of withdrawalMoves)
      if (to !== 'failed' && to !== 'cancelled' && to !== 'refused')
        expect(order.indexOf(to)).toBeGreaterThan(order.indexOf(from));
    for (const over of ['cancelled', 'failed', 'refused', 'returned'])
      expect(withdrawalMoves.filter((move) => move[0] === over)).toEqual([]);
  });

  it("follow the provider's moves and end at its state or further", () => {
    for (const from of withdrawalStatuses)
      for (const target of provider) {
        let status = from;
        for (const move of movesTowards(from, target)) {
          const to = nextWithdrawalStatus(status, move, 'timer');
          expect(to).not.toBeNull();
          expect(to).not.toBe(status);
          status = to ?? status;
        }
        expect(movesTowards(status, target)).toEqual([]);
        if (from === 'processing' || from === 'in_transit')
          expect(status).toBe(target === 'processing' ? from : target);
      }
  });

  it('treat a payout that failed after it was paid as returned', () => {
    expect(movesTowards('paid', 'failed')).toEqual(['return']);
    expect(movesTowards('in_transit', 'returned')).toEqual(['pay', 'return']);
    for (const status of ['requested', 'cancelled', 'failed', 'returned'] as const)
      for (const target of provider) expect(movesTowards(status, target)).toEqual([]);
  });

  it('allow cancellation until the announced time', () => {
    const by = new Date('2026-11-21T09:10:00Z');
    const can = (status: WithdrawalStatus, cancelBy: Date | null, now: Date, waiting = false) =>
      canCancel({ status, cancelBy, waiting }, now);
    expect(can('requested', by, subtractMs(by, 1))).toBe(true);
    expect(can('requested', by, by)).toBe(false);
    expect(can('requested', null, new Date(0))).toBe(false);
    expect(can('processing', by, new Date(0))).toBe(false);
    expect(can('requested', null, by, true)).toBe(true);
    expect(can('processing', by, by, true)).toBe(false);
  });
});
