import { describe, expect, it } from 'vitest';
import { currencies } from '../currencies.ts';
import { fromReferenceMinor, referenceMinor } from './reference-rates.ts';

describe('reference rates', () => {
  it('compares amounts of currencies with and without minor units', () => {
    expect(referenceMinor(10_000, 'EUR')).toBe(10_000);
    expect(referenceMinor(11_600, 'USD')).toBe(10_000);
    expect(referenceMinor(178, 'JPY')).toBe(100);
    expect(fromReferenceMinor(10_000, 'JPY')).toBe(17_800);
  });

  it.each(currencies)('never lets a rounded amount exceed its original limit: %s', (currency) => {
    for (const euroMinor of [1, 99, 200_000, 5_000_000])
      expect(referenceMinor(fromReferenceMinor(euroMinor, currency), currency)).toBeLessThanOrEqual(
        euroMinor,
      );
    expect(referenceMinor(1, currency)).toBeGreaterThan(0);
  });
});
