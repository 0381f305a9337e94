import { describe, expect, it } from 'vitest';
import {
  companyExamples,
  isPostcode,
  isRegistrationNumber,
  isTaxNumber,
  vatIdOf,
} from './company-facts.rules.ts';

const countries =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL NO PL PT RO SE SI SK US'.split(' ');

/** The text with its last digit but one changed, which every check digit here notices. */
const mistyped = (text: string): string =>
  text.replace(/(\d)(\D*\d\D*)$/, (_, digit, rest) => `${(Number(digit) + 1) % 10}${rest}`);

describe('VAT ids', () => {
  it('accept a missing prefix and separators, and store the prefix', () => {
    for (const [country, typed, kept] of [
      ['NL', 'nl 0044.95.445.b01', 'NL004495445B01'],
      ['NL', '004495445B01', 'NL004495445B01'],
      // A person's, by the later rule.
      ['NL', 'NL002455799B11', 'NL002455799B11'],
      ['GR', 'EL 094259216', 'EL094259216'],
      ['CH', 'CHE-107.787.577 MWST', 'CHE107787577'],
      ['NO', '988 077 917 MVA', '988077917MVA'],
      ['GB', 'GB 980 7806 84', 'GB980780684'],
      ['IE', '3628739UA', 'IE3628739UA'],
    ] as const)
      expect(vatIdOf(country, typed), typed).toBe(kept);
  });

  it('have check digits in every country that uses them', () => {
    for (const country of countries) {
      const { vatId } = companyExamples(country);
      if (vatId === null) continue;
      expect(vatIdOf(country, vatId), vatId).not.toBeNull();
      const wrong =
        country === 'NL' ? 'NL004495446B01' : country === 'SE' ? 'SE556188841401' : mistyped(vatId);
      expect(vatIdOf(country, wrong), wrong).toBeNull();
    }
  });

  it('are rejected for another country and in countries without them', () => {
    expect(vatIdOf('NL', 'DE136695976')).toBeNull();
    expect(vatIdOf('DE', 'NL004495445B01')).toBeNull();
    expect(vatIdOf('US', '12-3456789')).toBeNull();
    expect(vatIdOf('NL', '')).toBeNull();
  });
});

describe('registration numbers', () => {
  it("match their country's format", () => {
    for (const country of [...countries, 'BR'])
      expect(isRegistrationNumber(country, companyExamples(country).registrationNumber), country).toBe(true);
    for (const country of [...countries, 'BR'])
      expect(isRegistrationNumber(country, 'abc'), country).toBe(false);
    expect(isRegistrationNumber('BE', '0417.497.107')).toBe(false);
    expect(isRegistrationNumber('DE', 'Amtsgericht Charlottenburg HRB 12345 B')).toBe(true);
    expect(isRegistrationNumber('FR', '303 265 045 00013')).toBe(false);
  });
});

describe('tax numbers of people', () => {
  it("match their country's format, and check digits where they are published", () => {
    for (const country of [...countries, 'BR'])
      expect(isTaxNumber(country, companyExamples(country).taxNumber), country).toBe(true);
    for (const [country, typed] of [
      ['NL', '123'],
      ['NL', '111222334'],
      ['DE', '12345'],
      ['FR', '303 265 046'],
      ['FR', '3023217600054'],
      ['ES', '12345678A'],
      ['BE', '85.07.30-033 29'],
      ['GB', '29558 39661'],
      ['CH', '756.9217.0769.86'],
      ['BR', 'abc'],
      ['BR', '0000000'],
    ] as const)
      expect(isTaxNumber(country, typed), `${country} ${typed}`).toBe(false);
    for (const [country, typed] of [
      ['BE', '85.07.30-033 28'],
      ['FR', '30 23 217 600 053'],
      ['CH', '756.9217.0769.85'],
      ['GB', 'AA123456A'],
      ['NL', '111222333B01'],
    ] as const)
      expect(isTaxNumber(country, typed), `${country} ${typed}`).toBe(true);
  });
});

describe('postcodes', () => {
  it("match their country's format, where we know one", () => {
    expect(isPostcode('NL', '1015 mn')).toBe(true);
    expect(isPostcode('NL', '1015')).toBe(false);
    expect(isPostcode('GB', 'EC1A1BB')).toBe(true);
    expect(isPostcode('BR', '01310-100')).toBe(true);
    for (const country of countries) {
      const { postcode } = companyExamples(country);
      if (postcode !== null) expect(isPostcode(country, postcode), country).toBe(true);
    }
  });
});
