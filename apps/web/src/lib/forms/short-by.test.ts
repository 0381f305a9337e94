import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { shortBy } from './short-by.ts';

const refusal = (data: unknown, code: 'payment/balance-short' | 'job/incomplete' = 'payment/balance-short') =>
  new ApiError(code, { status: 422, data: data as never });

describe("the balance's shortage in a refusal", () => {
  it('is the missing amount in its currency', () => {
    expect(shortBy(refusal({ missingMinor: 4_250, currency: 'EUR' }))).toEqual({
      missingMinor: 4_250,
      currency: 'EUR',
    });
  });

  it('is undefined for other errors and malformed data', () => {
    expect(shortBy(refusal({ missingMinor: 4_250, currency: 'EUR' }, 'job/incomplete'))).toBeNull();
    expect(shortBy(refusal({ missingMinor: 0, currency: 'EUR' }))).toBeNull();
    expect(shortBy(refusal({ missingMinor: '5', currency: 'EUR' }))).toBeNull();
    expect(shortBy(refusal({ missingMinor: 5, currency: 'XTS' }))).toBeNull();
    expect(shortBy(new Error('no'))).toBeNull();
  });
});
