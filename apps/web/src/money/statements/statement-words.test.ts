import { describe, expect, it } from 'vitest';
import { kindIcon, signedMoney, sumParts } from './statement-words.ts';

describe('the amount of a line', () => {
  const line = { grossMinor: 10_890, currency: 'EUR' as const };

  it('has its sign, a true minus', () => {
    expect(signedMoney({ ...line, amountMinor: 9_900 })).toBe('+€99');
    expect(signedMoney({ ...line, amountMinor: -9_950 })).toBe('−€99.50');
  });

  it('is what it was about, fee inside, without a sign, where the balance did not move', () => {
    expect(signedMoney({ ...line, amountMinor: 0 })).toBe('€108.90');
    expect(signedMoney({ ...line, amountMinor: 0, grossMinor: -10_890 })).toBe('€108.90');
  });
});

describe('the parts of an entry', () => {
  it('name every account once, and still sum to nothing', () => {
    const parts = sumParts([
      { what: 'hold', amountMinor: -10_285 },
      { what: 'hold', amountMinor: -10_285 },
      { what: 'balance', amountMinor: 20_570 },
    ]);
    expect(parts).toEqual([
      { what: 'hold', amountMinor: -20_570 },
      { what: 'balance', amountMinor: 20_570 },
    ]);
    expect(parts.reduce((sum, part) => sum + part.amountMinor, 0)).toBe(0);
  });
});

describe('the picture of a line', () => {
  it('points out for what leaves and back for what comes back', () => {
    expect(kindIcon({ kind: 'withdrawal', amountMinor: -100 })).toBe('arrow-up-right');
    expect(kindIcon({ kind: 'withdrawal_back', amountMinor: 100 })).toBe('arrow-counter-clockwise');
    expect(kindIcon({ kind: 'release', amountMinor: 100 })).toBe('coins');
  });
});
