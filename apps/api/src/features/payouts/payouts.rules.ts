import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import type { PayoutSpeed } from '@nearhand/contract/payouts';

/**
 * An amount that is set for currencies with two digits, in another one: 500 is 5.00 €, and 5 of what has no minor unit. Rounded up to a whole minor unit, never
 * to nothing unless it is nothing (ADR 0077).
 */
export const scaledMinor = (twoDigitMinor: number, currency: Currency): number =>
  Math.ceil((twoDigitMinor * 10 ** currencyDigits[currency]) / 100);

/** The settings that a withdrawal depends on. */
export type WithdrawalSettings = {
  WITHDRAWAL_MIN_MINOR: number;
  WITHDRAWAL_INSTANT_FEE_MINOR: number;
  WITHDRAWALS_PER_DAY: number;
};

/** What a withdrawal costs, in minor units of its currency. It is inside the amount. */
export const feeOf = (
  speed: PayoutSpeed,
  currency: Currency,
  { WITHDRAWAL_INSTANT_FEE_MINOR }: Pick<WithdrawalSettings, 'WITHDRAWAL_INSTANT_FEE_MINOR'>,
): number => (speed === 'instant' ? scaledMinor(WITHDRAWAL_INSTANT_FEE_MINOR, currency) : 0);

/** The least that can be withdrawn: as set, and always more than its fee, so that something arrives. */
export const minimumOf = (speed: PayoutSpeed, currency: Currency, settings: WithdrawalSettings): number =>
  Math.max(scaledMinor(settings.WITHDRAWAL_MIN_MINOR, currency), feeOf(speed, currency, settings) + 1);

export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The day by UTC on which money sent then is expected: the same for instant, else the next day on which banks work. Holidays are the provider's to know. */
export function arrivalDay(speed: PayoutSpeed, sentAt: Date): string {
  if (speed === 'instant') return dayOf(sentAt);
  let day = new Date(sentAt.getTime() + dayMs);
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day = new Date(day.getTime() + dayMs);
  return dayOf(day);
}

export type WithdrawalWish = { amountMinor: number; speed: PayoutSpeed };

/** What a withdrawal is measured by. */
export type WithdrawalFacts = {
  method: { currency: Currency; instant: boolean; usableFrom: Date };
  availableMinor: number;
  /** When those were asked for that count towards the limit of the last 24 hours, oldest first. */
  recent: readonly Date[];
};

export type WithdrawalRefusal =
  | { code: 'method-held'; data: { until: string } }
  | { code: 'instant-unavailable'; data: undefined }
  | { code: 'below-minimum'; data: { minimumMinor: number } }
  | { code: 'daily-limit'; data: { perDay: number; from: string } }
  | { code: 'balance-short'; data: { availableMinor: number } };

/** When the next withdrawal may be asked for, where none may now: the one that has to grow a day old before there is room again has done so. */
export function freeFrom(recent: readonly Date[], perDay: number): Date | null {
  const oldest = recent.at(-perDay);
  return oldest ? new Date(oldest.getTime() + dayMs) : null;
}

/** Why this cannot be withdrawn now; null where it can. */
export function withdrawalRefusal(
  wish: WithdrawalWish,
  facts: WithdrawalFacts,
  now: Date,
  settings: WithdrawalSettings,
): WithdrawalRefusal | null {
  const { method, availableMinor, recent } = facts;
  if (now < method.usableFrom)
    return { code: 'method-held', data: { until: method.usableFrom.toISOString() } };
  if (wish.speed === 'instant' && !method.instant) return { code: 'instant-unavailable', data: undefined };
  const minimumMinor = minimumOf(wish.speed, method.currency, settings);
  if (wish.amountMinor < minimumMinor) return { code: 'below-minimum', data: { minimumMinor } };
  const perDay = settings.WITHDRAWALS_PER_DAY;
  const from = freeFrom(recent, perDay);
  if (from) return { code: 'daily-limit', data: { perDay, from: from.toISOString() } };
  return wish.amountMinor > availableMinor ? { code: 'balance-short', data: { availableMinor } } : null;
}

/** Whether a day can be a birthday at all; the provider decides the rest. */
export const isBirthday = (bornOn: string, now: Date): boolean =>
  bornOn >= '1900-01-01' && bornOn < dayOf(now);

const countryCurrencies: Partial<Record<Currency, string>> = {
  EUR: 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM VA',
  USD: 'US EC SV',
  GBP: 'GB IM JE GG',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  SEK: 'SE',
  NOK: 'NO SJ',
  PLN: 'PL',
  CZK: 'CZ',
  CAD: 'CA',
  AUD: 'AU',
  NZD: 'NZ',
  SGD: 'SG',
  JPY: 'JP',
};

/** The currency of a country, where the platform pays in it. */
export const currencyOfCountry = (countryCode: string): Currency | null =>
  (Object.keys(countryCurrencies) as Currency[]).find((currency) =>
    countryCurrencies[currency]?.split(' ').includes(countryCode),
  ) ?? null;
