import { i18n } from '@lingui/core';
import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError, clientErrorCodes } from './api-error.ts';
import { errorMessages, errorText, fieldIssues } from './error-text.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('words for errors of the API', () => {
  const codes = [...Object.keys(errorStatus), ...clientErrorCodes] as (keyof typeof errorMessages)[];

  it.each(codes)('%s has a sentence of its own', (code) => {
    const text = errorText(new ApiError(code));
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toContain('!');
    expect(codes.filter((other) => errorText(new ApiError(other)) === text)).toEqual([code]);
  });

  it('says nothing for codes that do not exist', () => {
    expect(Object.keys(errorMessages).sort()).toEqual([...codes].sort());
  });

  it('takes anything unknown for a fault of ours', () => {
    expect(errorText(new Error('boom'))).toBe(errorText(new ApiError('request/internal')));
    expect(errorText(undefined)).toBe(errorText(new ApiError('request/internal' satisfies ErrorCode)));
  });

  it('reads the fields that a refused input names', () => {
    const issues = [{ path: 'pay.minor', message: 'too small' }, { path: ['email'], message: 'no' }, 7, null];
    expect(fieldIssues(new ApiError('request/invalid', { data: { issues } }))).toEqual([
      { field: 'pay.minor', message: 'too small' },
      { field: 'email', message: 'no' },
    ]);
    expect(fieldIssues(new ApiError('request/invalid', { data: { issues: 'x' } }))).toEqual([]);
    expect(fieldIssues(new Error('x'))).toEqual([]);
  });
});
