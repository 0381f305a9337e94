import { i18n } from '@lingui/core';
import { sumOf } from '@nearhand/contract/arithmetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { withdrawalStatusText } from '../payouts/payout.labels.ts';
import { kindIcon, lineStatusText, netLabel, signedMoney, sumParts, workerSums } from './statement.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('the amount of a line', () => {
  const line = {
    kind: 'release' as const,
    status: 'paid' as const,
    grossMinor: 10_890,
    currency: 'EUR' as const,
  };

  it('has its sign, a true minus', () => {
    expect(signedMoney({ ...line, amountMinor: 9_900 })).toBe('+€99');
    expect(signedMoney({ ...line, amountMinor: -9_950 })).toBe('−€99.50');
  });

  it("is the amount including the fee, without a sign, when the balance didn't move", () => {
    expect(signedMoney({ ...line, amountMinor: 0 })).toBe('€108.90');
    expect(signedMoney({ ...line, amountMinor: 0, grossMinor: -10_890 })).toBe('€108.90');
  });
});

describe("a worker's withdrawal", () => {
  const line = {
    kind: 'withdrawal',
    amountMinor: 0,
    grossMinor: 2_000,
    feeMinor: 150,
    currency: 'EUR',
  } as const;

  it('has a sign once it leaves the balance', () => {
    expect(signedMoney(line)).toBe('€20');
    expect(signedMoney({ ...line, amountMinor: -2_000 })).toBe('−€20');
  });

  it('shows what reaches the bank, without ledger lines', () => {
    expect(workerSums(line)).toEqual({ grossMinor: 2_000, feeMinor: 150, netMinor: 1_850 });
    expect(netLabel('withdrawal')).toBe('To your bank');
  });

  it("uses the balance's labels for its status", () => {
    const statuses = [
      ['requested', 'not_sent'],
      ['processing', 'pending'],
      ['in_transit', 'in_transit'],
      ['paid', 'paid'],
      ['failed', 'failed'],
    ] as const;
    for (const [status, text] of statuses)
      expect(lineStatusText(text, 'withdrawal')).toBe(withdrawalStatusText(status));
  });
});

describe('the parts of an entry', () => {
  it('name every account once, and sum to zero', () => {
    const parts = sumParts([
      { kind: 'hold', amountMinor: -10_285 },
      { kind: 'hold', amountMinor: -10_285 },
      { kind: 'balance', amountMinor: 20_570 },
    ]);
    expect(parts).toEqual([
      { kind: 'hold', amountMinor: -20_570 },
      { kind: 'balance', amountMinor: 20_570 },
    ]);
    expect(sumOf(parts, (part) => part.amountMinor)).toBe(0);
  });
});

describe('the picture of a line', () => {
  it('points out for outgoing and back for returned money', () => {
    expect(kindIcon({ kind: 'withdrawal', amountMinor: -100 })).toBe('arrow-up-right');
    expect(kindIcon({ kind: 'withdrawal_back', amountMinor: 100 })).toBe('arrow-counter-clockwise');
    expect(kindIcon({ kind: 'release', amountMinor: 100 })).toBe('coins');
  });
});
