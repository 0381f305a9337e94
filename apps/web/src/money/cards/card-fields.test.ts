import { describe, expect, it } from 'vitest';
import { cardExpiryProblem, groupedNumber, readExpiry, typedExpiry } from './add-card.tsx';

describe('the fields of a card', () => {
  it('groups the number and drops other characters', () => {
    expect(groupedNumber('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(groupedNumber('4242-4242 42')).toBe('4242 4242 42');
    expect(groupedNumber('')).toBe('');
  });

  it('parses an expiry as users type and browsers fill it in', () => {
    for (const typed of ['1228', '12/28', '12 / 28', '12/2028']) expect(typedExpiry(typed)).toBe('12/28');
    expect(typedExpiry('1')).toBe('1');
    expect(readExpiry('12/28')).toEqual({ month: 12, year: 2028 });
    expect(readExpiry('13/28')).toBeNull();
    expect(readExpiry('00/28')).toBeNull();
    expect(readExpiry('12')).toBeNull();
  });

  it('reports what is wrong with an expiry, to the end of its month', () => {
    const on = (instant: string) => cardExpiryProblem('11/26', new Date(instant));
    expect(on('2026-11-30T23:59:00Z')).toBeNull();
    expect(on('2026-12-01T11:59:00Z')).toBeNull();
    expect(on('2026-12-01T12:00:00Z')).toBe('expired');
    expect(cardExpiryProblem('12/26', new Date('2026-12-31T20:00:00Z'))).toBeNull();
    expect(cardExpiryProblem('13/30', new Date('2026-11-21T09:00:00Z'))).toBe('unreadable');
  });
});
