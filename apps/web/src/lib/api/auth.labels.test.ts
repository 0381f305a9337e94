import { readFileSync } from 'node:fs';
import { i18n } from '@lingui/core';
import { authCodes } from '@nearhand/contract/people/auth-codes';
import { beforeAll, describe, expect, it } from 'vitest';
import { authMessages, authText } from './auth.labels.ts';
import { AuthError } from './auth-provider.ts';

const table = `${import.meta.dirname}/../../../test/specification/auth-codes.tsv`;

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('sign-in texts', () => {
  it('match the specification, code by code', () => {
    const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1);
    const expected = Object.fromEntries(rows.map((row) => row.split('\t') as [string, string]));
    const ours = Object.fromEntries(authCodes.map((code) => [code, i18n._(authMessages[code])]));
    expect(ours).toEqual(expected);
  });

  it('keep the messages that the specification spells out', () => {
    expect(authText(new AuthError('auth/wrong-password'))).toBe('Invalid email or password.');
    expect(authText(new AuthError('auth/invalid-email'))).toBe('Invalid email or password.');
    expect(authText(new AuthError('auth/user-not-found'))).toBe('User not found.');
    expect(authText(new AuthError('auth/email-already-in-use'))).toBe(
      'The email address is already in use by another account.',
    );
    expect(authText(new AuthError('auth/weak-password'))).toBe('The password must be 6 characters or more.');
    expect(authText(new AuthError('auth/user-disabled'))).toBe('The account was disabled; contact support.');
    expect(authText(new AuthError('auth/too-many-requests'))).toBe(
      'Requests are blocked due to unusual activity; try later.',
    );
    expect(authText(new AuthError('auth/network-request-failed'))).toBe('A network error occurred.');
    expect(authText(new AuthError('auth/requires-recent-login'))).toBe('Log in again.');
  });

  it('fall back for an unknown code, and without a code', () => {
    const fallback = 'Something went wrong on our side. Please try again.';
    expect(authText(new AuthError('auth/made-up'))).toBe(fallback);
    expect(authText('auth/made-up')).toBe(fallback);
    expect(authText('toString')).toBe(fallback);
    expect(authText(new TypeError('x'))).toBe(fallback);
    expect(authText(undefined)).toBe(fallback);
  });
});
