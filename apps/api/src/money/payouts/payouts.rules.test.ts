import { scaledMinor } from '@nearhand/contract/currencies';
import { addMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { birthdayProblem, minWithdrawal, withdrawalFee } from '@nearhand/contract/money/payouts.rules';
import { describe, expect, it } from 'vitest';
import {
  arrivalDay,
  countryOfZone,
  payoutCurrency,
  withdrawalRefusal,
  withdrawalTerms,
} from './payouts.rules.ts';

const settings = { WITHDRAWAL_MIN_MINOR: 500, WITHDRAWAL_INSTANT_FEE_MINOR: 150, WITHDRAWALS_PER_DAY: 5 };
const now = new Date('2026-11-21T09:00:00Z');
const ago = (hours: number) => subtractMs(now, hours * hourMs);

describe('amounts configured for two digits', () => {
  it("are scaled to the currency's digits and rounded up", () => {
    expect(scaledMinor(500, 'EUR')).toBe(500);
    expect(scaledMinor(500, 'JPY')).toBe(5);
    expect(scaledMinor(150, 'JPY')).toBe(2);
    expect(scaledMinor(1, 'JPY')).toBe(1);
    expect(scaledMinor(0, 'JPY')).toBe(0);
  });

  it('leave an amount after the fee under any settings', () => {
    const terms = withdrawalTerms('EUR', settings);
    const low = withdrawalTerms('EUR', { ...settings, WITHDRAWAL_MIN_MINOR: 100 });
    expect(withdrawalFee('standard', terms)).toBe(0);
    expect(withdrawalFee('instant', terms)).toBe(150);
    expect(minWithdrawal('instant', terms)).toBe(500);
    expect(minWithdrawal('instant', low)).toBe(151);
    expect(minWithdrawal('standard', low)).toBe(100);
    expect(minWithdrawal('standard', terms, 320)).toBe(320);
    expect(minWithdrawal('standard', terms, 9_000)).toBe(500);
    expect(minWithdrawal('instant', terms, 100)).toBe(151);
  });
});

describe('the arrival day', () => {
  it.each([
    ['standard', '2026-11-18T10:00:00Z', '2026-11-19'],
    ['standard', '2026-11-19T23:59:59Z', '2026-11-20'],
    ['standard', '2026-11-20T10:00:00Z', '2026-11-23'],
    ['standard', '2026-11-21T10:00:00Z', '2026-11-23'],
    ['standard', '2026-12-31T10:00:00Z', '2027-01-01'],
    ['instant', '2026-11-21T10:00:00Z', '2026-11-21'],
  ] as const)('of %s at %s is %s', (speed, at, day) => {
    expect(arrivalDay(speed, new Date(at))).toBe(day);
  });
});

describe('why a withdrawal is refused', () => {
  const facts = {
    method: { currency: 'EUR', instant: true, usableFrom: ago(1) },
    availableMinor: 10_000,
    recent: [],
    closing: false,
  } as const;
  const request = { amountMinor: 3_000, speed: 'standard' } as const;
  const refusal = (
    options: Partial<Parameters<typeof withdrawalRefusal>[0]>,
    more: Partial<Parameters<typeof withdrawalRefusal>[1]> = {},
  ) => withdrawalRefusal({ ...request, ...options }, { ...facts, ...more }, now, settings);

  it('is null when nothing is wrong, to the last cent', () => {
    expect(refusal({})).toBeNull();
    expect(refusal({ amountMinor: 10_000 })).toBeNull();
    expect(refusal({ amountMinor: 500 })).toBeNull();
    expect(refusal({}, { method: { ...facts.method, usableFrom: now } })).toBeNull();
  });

  it('returns the first problem', () => {
    expect(refusal({ amountMinor: 10_001 })).toEqual({
      code: 'balance-short',
      data: { availableMinor: 10_000, currency: 'EUR' },
    });
    expect(refusal({ amountMinor: 499 })).toEqual({
      code: 'below-minimum',
      data: { minimumMinor: 500, currency: 'EUR' },
    });
    const bank = { ...facts.method, instant: false };
    expect(refusal({ speed: 'instant' }, { method: bank })?.code).toBe('instant-unavailable');
    const clearingMethod = { ...facts.method, usableFrom: addMs(now, 1) };
    expect(refusal({ amountMinor: 1 }, { method: clearingMethod })).toEqual({
      code: 'method-held',
      data: { until: clearingMethod.usableFrom.toISOString() },
    });
  });

  it('returns when the daily limit allows another', () => {
    const recent = [ago(23), ago(20), ago(3), ago(2), ago(1)];
    expect(refusal({}, { recent })).toEqual({
      code: 'daily-limit',
      data: { perDay: 5, from: addMs(now, hourMs).toISOString() },
    });
    expect(refusal({}, { recent: recent.slice(1) })).toBeNull();
    const lowered = withdrawalRefusal(request, { ...facts, recent }, now, {
      ...settings,
      WITHDRAWALS_PER_DAY: 4,
    });
    expect(lowered?.data).toMatchObject({ from: addMs(now, 4 * hourMs).toISOString() });
  });
});

describe('birthdays and countries', () => {
  it('rejects impossible dates', () => {
    expect(birthdayProblem('1990-05-17', now)).toBe(null);
    expect(birthdayProblem('1899-12-31', now)).toBe('impossible');
    expect(birthdayProblem('2026-11-21', now)).toBe('impossible');
    expect(birthdayProblem('2990-01-01', now)).toBe('impossible');
    expect(birthdayProblem('2015-01-01', now)).toBe('too-young');
    expect(birthdayProblem('2008-11-22', now)).toBe('too-young');
    expect(birthdayProblem('2008-11-21', now)).toBe(null);
  });

  it('include the currency of each country with payouts', () => {
    expect(payoutCurrency('NL')).toBe('EUR');
    expect(payoutCurrency('US')).toBe('USD');
    expect(payoutCurrency('JP')).toBe('JPY');
    expect(payoutCurrency('BR')).toBeNull();
    // It has the euro, but payouts don't reach it.
    expect(payoutCurrency('XK')).toBeNull();
  });
});

it.each([
  ['Europe/Amsterdam', 'NL'],
  ['Europe/Brussels', 'BE'],
  ['Asia/Ho_Chi_Minh', 'VN'],
  ['Asia/Kolkata', 'IN'],
  ['America/New_York', 'US'],
  ['Etc/GMT+2', null],
  ['UTC', null],
])('time zone %s is in %s', (zone, country) => expect(countryOfZone(zone)).toBe(country));
