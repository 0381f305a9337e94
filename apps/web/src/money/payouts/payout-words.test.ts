import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { withdrawRefusal } from './payout-words.ts';

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
