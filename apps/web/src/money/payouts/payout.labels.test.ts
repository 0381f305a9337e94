import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { arrivalText, withdrawalStatusText } from './payout.labels.ts';
import { sampleWithdrawal } from './payouts.fixtures.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('why money cannot be taken out now', () => {
  const at = '2026-11-25T16:40:00.000Z';
  it("shows from when it works, in the reader's time zone", () => {
    const words = formatDate(at, ownTimeZone());
    expect(errorText(new ApiError('payout/daily-limit', { data: { perDay: 5, from: at } }))).toBe(
      `You can make 5 withdrawals in 24 hours. You can withdraw again from ${words}.`,
    );
    expect(errorText(new ApiError('payout/method-held', { data: { until: at } }))).toContain(words);
  });
  it('shows the limit in its currency', () => {
    const short = { availableMinor: 1_250, currency: 'JPY' } as const;
    expect(errorText(new ApiError('payout/balance-short', { data: short }))).toMatch(
      /^You have ¥1,250 available\. Enter that or less\.$/,
    );
    const minimum = { minimumMinor: 500, currency: 'EUR' } as const;
    expect(errorText(new ApiError('payout/below-minimum', { data: minimum }))).toBe(
      'You can withdraw €5 or more.',
    );
  });
});

describe('a withdrawal in review', () => {
  it('shows the usual decision time, and that it takes longer after that', () => {
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
