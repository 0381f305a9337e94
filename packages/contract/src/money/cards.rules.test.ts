import { describe, expect, it } from 'vitest';
import { isCardExpired, isCardNumber, isSecurityCode } from './cards.rules.ts';

describe('card details', () => {
  it('require a number with 12 to 19 digits and a valid check digit', () => {
    expect(isCardNumber('4242424242424242')).toBe(true);
    expect(isCardNumber('378282246310005')).toBe(true);
    expect(isCardNumber('4242424242424241')).toBe(false);
    expect(isCardNumber('0'.repeat(12))).toBe(true);
    expect(isCardNumber('0'.repeat(11))).toBe(false);
    expect(isCardNumber('0'.repeat(20))).toBe(false);
    expect(isCardNumber('')).toBe(false);
  });

  it('require a security code of three or four digits', () => {
    expect(['12', '123', '1234', '12345', '12a', ''].map(isSecurityCode)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are valid until the end of their month', () => {
    const expiry = { month: 12, year: 2026 };
    expect(isCardExpired(expiry, new Date('2026-12-31T23:59:59Z'))).toBe(false);
    expect(isCardExpired(expiry, new Date('2027-01-01T00:00:00Z'))).toBe(true);
  });
});
