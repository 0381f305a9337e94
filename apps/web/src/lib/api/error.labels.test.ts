import { i18n } from '@lingui/core';
import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError, clientErrorCodes } from './api-error.ts';
import { errorMessages, errorText, fieldIssues } from './error.labels.ts';
import { readErrorText } from './read-error.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('API error texts', () => {
  const codes = [...Object.keys(errorStatus), ...clientErrorCodes] as (keyof typeof errorMessages)[];

  it.each(codes)('%s has a specific sentence', (code) => {
    const text = errorText(new ApiError(code));
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toContain('!');
    expect(codes.filter((other) => errorText(new ApiError(other)) === text)).toEqual([code]);
  });

  it('are undefined for unknown codes', () => {
    expect(Object.keys(errorMessages).sort()).toEqual([...codes].sort());
  });

  it('common errors have the same text without the other messages', () => {
    for (const code of ['network/offline', 'request/too-many', 'session/expired'] as const)
      expect(readErrorText(new ApiError(code))).toBe(errorText(new ApiError(code)));
    expect(readErrorText(new ApiError('job/filled'))).toBe(errorText(new ApiError('request/internal')));
    expect(readErrorText(undefined)).toBe(errorText(undefined));
  });

  it('name the limit', () => {
    expect(errorText(new ApiError('pool/too-many', { data: { limit: 20 } }))).toBe(
      'You can have up to 20 pools. Delete one first.',
    );
  });

  it('treat anything unknown as our fault', () => {
    expect(errorText(new Error('boom'))).toBe(errorText(new ApiError('request/internal')));
    expect(errorText(undefined)).toBe(errorText(new ApiError('request/internal' satisfies ErrorCode)));
    expect(errorText(new ApiError('of-a/newer-server' as ErrorCode))).toBe(errorText(undefined));
  });

  it('list the fields of a rejected input', () => {
    const issues = [
      { path: 'payMinor', message: 'too big', rule: 'too-large', limit: 1_000_000 },
      { path: ['email'], message: 'no', rule: 'email' },
      7,
      null,
    ];
    const refused = new ApiError('request/invalid', { data: { issues: issues as never } });
    expect(fieldIssues(refused, 'EUR')).toEqual([
      { field: 'payMinor', name: 'Pay', message: 'Enter €10,000 or less.' },
      { field: 'email', name: 'Email', message: 'Enter an address such as name@example.com.' },
    ]);
    // A yen has no hundredths; an input without a currency leaves the amount out.
    expect(fieldIssues(refused, 'JPY')[0]?.message).toBe('Enter ¥1,000,000 or less.');
    expect(errorText(refused)).toBe('Pay: Enter a lower amount.');
    const named = { issues: [{ ...(issues[0] as object), currency: 'JPY' }] as never };
    expect(errorText(new ApiError('request/invalid', { data: named }))).toBe(
      'Pay: Enter ¥1,000,000 or less.',
    );
    expect(fieldIssues(new ApiError('request/invalid', { data: { issues: 'x' as never } }))).toEqual([]);
    expect(fieldIssues(new Error('x'))).toEqual([]);
  });
});
