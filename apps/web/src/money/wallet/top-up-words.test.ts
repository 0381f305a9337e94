import { i18n } from '@lingui/core';
import { beforeAll, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { topUpRefusal } from './add-money.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const from = '2026-11-25T16:40:00.000Z';
const data = { perDayMinor: 200_000, leftMinor: 50_000, currency: 'EUR' as const, from, verified: false };
const say = (change: Partial<typeof data> = {}) =>
  topUpRefusal(new ApiError('payment/top-up-limit', { data: { ...data, ...change } }));

it('shows what can be added today, or from when, and what verifying changes', () => {
  expect(say()).toBe('You can add €2,000 in 24 hours, and €500 of it now. Verified businesses can add more.');
  expect(say({ leftMinor: 0, verified: true })).toBe(
    `You've added the €2,000 that you can add in 24 hours. You can add more from ${formatDate(from, ownTimeZone())}.`,
  );
});
