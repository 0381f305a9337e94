import { describe, expect, it } from 'vitest';
import { standardRate, vatBreakdown, vatOf } from './vat.rules.ts';

const party = (countryCode: string, vatId = '', registrationNumber = '') => ({
  countryCode,
  vatId,
  registrationNumber,
});
const belgian = party('BE', 'BE0791348269', '0791.348.269');

describe('vatOf', () => {
  it.each([
    ['a business at home', belgian, party('BE', 'BE0417497106'), 'S', 2100, null],
    ['a buyer at home without a VAT id', belgian, party('BE'), 'S', 2100, null],
    ['a business elsewhere in the EU', belgian, party('NL', 'NL861942735B01'), 'AE', 0, 'reverse-charge'],
    ['a buyer elsewhere in the EU without a VAT id', belgian, party('NL', '', '81264097'), 'S', 2100, null],
    ['a business outside the EU by its number', belgian, party('US', '', '12-3456789'), 'O', 0, 'abroad-eu'],
    ['someone outside the EU', belgian, party('US'), 'S', 2100, null],
    ['a British seller abroad', party('GB', 'GB999999973'), party('FR', 'FR1'), 'O', 0, 'abroad-gb'],
    ['a British seller at home', party('GB', 'GB999999973'), party('GB'), 'S', 2000, null],
    ['a Swiss seller abroad', party('CH', 'CHE1'), party('DE', 'DE1'), 'O', 0, 'abroad-ch'],
    ['a Norwegian seller abroad', party('NO', '1MVA'), party('SE', 'SE1'), 'Z', 0, 'abroad-no'],
    ['an American seller', party('US'), belgian, 'O', 0, 'no-vat-law'],
    ['a small business', party('NL'), party('NL', 'NL1'), 'E', 0, 'small-business'],
  ] as const)('for %s', (_, seller, buyer, category, rateBasisPoints, reason) => {
    expect(vatOf(seller, buyer, '2026-11-21')).toEqual({ category, rateBasisPoints, reason });
  });

  it('switches on the day of a change', () => {
    expect(standardRate('FI', '2024-08-31')).toBe(2400);
    expect(standardRate('FI', '2024-09-01')).toBe(2550);
    expect(standardRate('EE', '2025-06-30')).toBe(2200);
    expect(standardRate('EE', '2025-07-01')).toBe(2400);
    expect(standardRate('US', '2026-01-01')).toBeNull();
  });
});

describe('vatBreakdown', () => {
  const line = (netMinor: number, rateBasisPoints = 2500) => ({
    category: 'S' as const,
    rateBasisPoints,
    reason: null,
    netMinor,
  });

  it('rounds each category once, half up', () => {
    // Three lines of 696.22 at 25 %: 522.17 of the sum, 522.18 if each line were rounded.
    expect(vatBreakdown([line(69_622), line(69_622), line(69_622)])).toMatchObject([
      { taxableMinor: 208_866, vatMinor: 52_217 },
    ]);
  });
  it('returns a row per rate', () => {
    expect(vatBreakdown([line(100), line(200, 2100), line(300)])).toMatchObject([
      { rateBasisPoints: 2500, taxableMinor: 400, vatMinor: 100 },
      { rateBasisPoints: 2100, taxableMinor: 200, vatMinor: 42 },
    ]);
  });
  it("uses the currency's minor unit: none for yen, three digits for dinars", () => {
    expect(vatBreakdown([line(1_234, 1000)])[0]?.vatMinor).toBe(123);
    expect(vatBreakdown([line(12_345, 1000)])[0]?.vatMinor).toBe(1_235);
  });
});
