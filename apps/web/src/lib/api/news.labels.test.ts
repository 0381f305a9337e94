import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { newsText } from './news.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const label = (status: string) => ({ completed: 'Completed', disputed: 'In dispute' })[status];
const refused = (data: unknown, code: 'engagement/stale' | 'engagement/too-early' = 'engagement/stale') =>
  new ApiError(code, { status: 409, data: data as never });

describe('a move that came too late', () => {
  it('shows who was faster and the current status', () => {
    expect(newsText(refused({ status: 'completed', by: 'Aylin Demir' }), label)).toBe(
      "Aylin Demir changed this first. It's now “Completed”. Check again, then decide.",
    );
    expect(newsText(refused({ status: 'disputed' }), label)).toBe(
      "It's now “In dispute”. Check again, then decide.",
    );
  });

  it('names the applicant when there are several', () => {
    expect(newsText(refused({ status: 'completed', by: 'Aylin Demir' }), label, 'Leila Haddad')).toBe(
      'Aylin Demir changed this first: Leila Haddad is now “Completed”. Check again, then decide.',
    );
    expect(newsText(refused({ status: 'completed' }), label, 'Leila Haddad')).toBe(
      'Leila Haddad is now “Completed”. Check again, then decide.',
    );
  });

  it('falls back to the plain error', () => {
    const plain = /changed this in the meantime/;
    expect(newsText(refused(null), label)).toMatch(plain);
    expect(newsText(refused({ status: 'of a newer server' }), label)).toMatch(plain);
    expect(newsText(refused({ status: 'completed' }, 'engagement/too-early'), label)).not.toMatch(
      /Meanwhile/,
    );
  });
});
