import { describe, expect, it } from 'vitest';
import { isOfAnother, isSameName } from './payees.ts';

describe('isSameName', () => {
  it.each([
    ['Leila Haddad', 'leila  HADDAD'],
    ['Leïla Haddád', 'Leila Haddad'],
    ['Leila Haddad', 'Haddad, Leila'],
    ['Leila Haddad', 'L. Haddad'],
    ['Leila Maria Haddad', 'Leila Haddad'],
    ['Leila Maria Haddad', 'L.M. Haddad'],
    ['Leila Maria Haddad', 'LM HADDAD'],
    ['Leila Maria Haddad', 'HADDAD L M'],
    ['Leila Haddad', 'L Haddad en/of S Jansen'],
    ["Sinéad O'Brien", 'Sinead OBrien'],
    ['Anne-Marie Müller', 'Anne Marie Mueller'],
    ['Jan Willem de Vries', 'Janwillem de Vries'],
    ['Søren Ærø', 'Soren Aero'],
    ['Łukasz Wąsik', 'Lukasz Wasik'],
    ['Anna van Dijk', 'A. van Dijk'],
    ['Sukarno', 'SUKARNO'],
    ['محمد علي', 'محمد علي'],
    ['Kopi Horeca B.V.', 'KOPI HORECA BV'],
    ['Leila\u200e Haddad', '\u202eLeila Haddad'],
  ])('%s is %s', (a, b) => {
    expect(isSameName(a, b)).toBe(true);
    expect(isSameName(b, a)).toBe(true);
  });

  it.each([
    ['Leila Haddad', 'Nadia Brandt'],
    ['Leila Haddad', 'Nadia Haddad'],
    ['Leila Haddad', 'Leila Brandt'],
    ['Leila Haddad', 'Haddad'],
    ['Leila Haddad', 'Leila'],
    ['Leila Haddad', 'L. H.'],
    ['Leila Haddad', 'LH'],
    ['Leila Haddad', 'S. Haddad'],
    ['Leila Haddad', 'Leila Leila'],
    ['Sukarno', 'Sukarno Putri'],
    ['Leila Haddad', ''],
    ['Leila Haddad', '...'],
    ['Иван Петров', 'Ivan Petrov'],
  ])('%s is not %s', (a, b) => {
    expect(isSameName(a, b)).toBe(false);
    expect(isSameName(b, a)).toBe(false);
  });
});

describe('isOfAnother', () => {
  const method = { holderName: 'S. Jansen', acceptedFor: null };
  const names = { verified: ['Leila Haddad'], businesses: [] };
  it('compares with verified names, and businesses', () => {
    expect(isOfAnother(method, names)).toBe(true);
    expect(isOfAnother({ ...method, holderName: 'Haddad L.' }, names)).toBe(false);
    expect(isOfAnother({ ...method, holderName: 'Kopi BV' }, { ...names, businesses: ['Kopi B.V.'] })).toBe(
      false,
    );
  });
  it('skips workers without a verified name', () => {
    expect(isOfAnother(method, { verified: [], businesses: ['Kopi B.V.'] })).toBe(false);
  });
  it('respects a name that an operator accepted, and only that one', () => {
    expect(isOfAnother({ ...method, acceptedFor: 'Leila Haddad' }, names)).toBe(false);
    expect(isOfAnother({ ...method, acceptedFor: 'Leila Haddad' }, { ...names, verified: ['Lea H.'] })).toBe(
      true,
    );
  });
});
