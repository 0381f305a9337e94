import { i18n } from '@lingui/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isAboveMaximum, minorFromTyped, typedFromMinor } from './typed-amount.ts';

describe('typed amounts', () => {
  it.each([
    ['18', 1_800],
    [' 18.5 ', 1_850],
    ['18,05', 1_805],
    ['1 250', 125_000],
    ["1'250.20", 125_020],
    ['0', 0],
    ['١٨', 1_800],
    ['١٨٫٥', 1_850],
    ['۱۲۵', 12_500],
    ['１８', 1_800],
  ])('%s', (text, minor) => expect(minorFromTyped(text, 2)).toBe(minor));

  it.each(['', '-3', '18.505', '1,250.20', 'twelve', '18 euro', '99999999999', '1e3'])('rejects %s', (text) =>
    expect(minorFromTyped(text, 2)).toBeNull(),
  );

  it('above the maximum differ from invalid ones', () => {
    expect([isAboveMaximum('99999999999', 2), isAboveMaximum('10 000 000,50', 2)]).toEqual([true, false]);
    expect([isAboveMaximum('twelve', 2), isAboveMaximum('-99999999999', 2)]).toEqual([false, false]);
    expect([isAboveMaximum('1000000001', 0), isAboveMaximum('1000000', 3)]).toEqual([true, false]);
  });

  it('support currencies without a minor unit', () => {
    expect(minorFromTyped('1500', 0)).toBe(1_500);
    expect(minorFromTyped('1500.5', 0)).toBeNull();
    expect(typedFromMinor(1_500, 0)).toBe('1500');
  });

  it('have no decimals when whole', () => {
    expect([typedFromMinor(1_800, 2), typedFromMinor(1_805, 2), typedFromMinor(5, 2)]).toEqual([
      '18',
      '18.05',
      '0.05',
    ]);
  });

  it("use the reader's decimal mark, and are parsed the same way", () => {
    const languages = vi.spyOn(navigator, 'languages', 'get');
    onTestFinished(() => {
      languages.mockRestore();
      i18n.loadAndActivate({ locale: 'en', messages: {} });
    });
    for (const [locale, region, text] of [
      ['nl', 'nl-NL', '110,50'],
      ['es', 'es-ES', '110,50'],
      ['ar', 'ar-EG', '110.50'],
    ] as const) {
      languages.mockReturnValue([region]);
      i18n.loadAndActivate({ locale, messages: {} });
      expect(typedFromMinor(11_050, 2)).toBe(text);
      expect(minorFromTyped(text, 2)).toBe(11_050);
    }
  });
});
