import { describe, expect, it } from 'vitest';
import { loadPhones, phoneIn } from './phone.ts';

describe('a phone number as people dial it', () => {
  it('requires its country code until the numbering plans have loaded', async () => {
    expect(phoneIn('06 12345678', 'NL')).toBeNull();
    expect(phoneIn('+31 6 12345678', 'NL')).toBe('+31612345678');
    await loadPhones();
    expect(phoneIn('06 12345678', 'NL')).toBe('+31612345678');
  });

  it.each([
    ['020 123 4567', 'NL', '+31201234567'],
    ['٠٦ ١٢٣٤٥٦٧٨', 'NL', '+31612345678'],
    ['(202) 555-0123', 'US', '+12025550123'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['+31 (0)6 12345678', 'FR', '+31612345678'],
    ['12', 'NL', null],
    ['06 12345678', '', null],
    ['0900 1234', 'XX', null],
  ])('%s in %s is %s', async (typed, country, number) => {
    await loadPhones();
    expect(phoneIn(typed, country)).toBe(number);
  });
});
