import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { arrivalText, withdrawalStatusText, withdrawRefusal } from './payout-words.ts';
import { sampleWithdrawal } from './payouts.fixtures.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('why money cannot be taken out now', () => {
  const at = '2026-11-25T16:40:00.000Z';
  it('says from when on it can, by the clock of the reader', () => {
    const words = formatDate(at, ownTimeZone());
    expect(withdrawRefusal(new ApiError('payout/daily-limit', { data: { perDay: 5, from: at } }))).toContain(
      words,
    );
    expect(withdrawRefusal(new ApiError('payout/method-held', { data: { until: at } }))).toContain(words);
  });
  it('says what it says elsewhere of anything else, and where no time is told', () => {
    for (const error of [
      new ApiError('payout/daily-limit'),
      new ApiError('payout/balance-short', { data: { availableMinor: 100 } }),
      new Error('boom'),
    ])
      expect(withdrawRefusal(error)).toBe(errorText(error));
  });
});

describe('a withdrawal in review', () => {
  it('says by when we usually decide, and that it takes longer once that has passed', () => {
    const [soon, late] = [3_600_000, -3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const inReview = { status: 'in_review', arrivesOn: null, cancelBy: null } as const;
    expect(withdrawalStatusText('in_review')).toBe('Being checked');
    expect(arrivalText(sampleWithdrawal({ ...inReview, reviewBy: soon ?? null }))).toContain(
      formatDate(soon ?? '', ownTimeZone()),
    );
    expect(arrivalText(sampleWithdrawal({ ...inReview, reviewBy: late ?? null }))).toBe(
      'Taking longer than usual',
    );
  });
});
