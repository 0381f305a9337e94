import { type Currency, scaledMinor } from '@nearhand/contract/currencies';
import { addMs, dayMs } from '@nearhand/contract/durations';
import type { PayoutAccountStatus, PayoutSpeed } from '@nearhand/contract/money/payouts';
import { minWithdrawal, type WithdrawalTerms } from '@nearhand/contract/money/payouts.rules';
import { currencyOfCountry } from '@nearhand/contract/people/country-currency.rules';

export type WithdrawalSettings = {
  WITHDRAWAL_MIN_MINOR: number;
  WITHDRAWAL_INSTANT_FEE_MINOR: number;
  WITHDRAWALS_PER_DAY: number;
};

/** Minimum and instant fee in minor units. The settings are in euro cents and scaled to the currency. */
export const withdrawalTerms = (
  currency: Currency,
  settings: Pick<WithdrawalSettings, 'WITHDRAWAL_MIN_MINOR' | 'WITHDRAWAL_INSTANT_FEE_MINOR'>,
): WithdrawalTerms => ({
  minimumMinor: scaledMinor(settings.WITHDRAWAL_MIN_MINOR, currency),
  instantFeeMinor: scaledMinor(settings.WITHDRAWAL_INSTANT_FEE_MINOR, currency),
});

/** The day in UTC, as the provider counts it. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The arrival day: the same UTC day if instant, otherwise the next banking day, ignoring holidays. */
export function arrivalDay(speed: PayoutSpeed, sentAt: Date): string {
  if (speed === 'instant') return dayOf(sentAt);
  let day = addMs(sentAt, dayMs);
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day = addMs(day, dayMs);
  return dayOf(day);
}

export type WithdrawalRequest = { amountMinor: number; speed: PayoutSpeed };

export type WithdrawalFacts = {
  method: { currency: Currency; instant: boolean; usableFrom: Date };
  availableMinor: number;
  recent: readonly Date[];
  /** The worker is closing their account, so the whole balance may be below the minimum. */
  closing: boolean;
};

export type WithdrawalRefusal =
  | { code: 'method-held'; data: { until: string } }
  | { code: 'instant-unavailable'; data: undefined }
  | { code: 'below-minimum'; data: { minimumMinor: number; currency: Currency } }
  | { code: 'daily-limit'; data: { perDay: number; from: string } }
  | { code: 'balance-short'; data: { availableMinor: number; currency: Currency } };

/** The time from which another withdrawal is allowed; null if now. `recent` is in order of time. */
export function freeFrom(recent: readonly Date[], perDay: number): Date | null {
  const oldest = recent.at(-perDay);
  return oldest ? addMs(oldest, dayMs) : null;
}

/** The first reason to refuse a withdrawal, or null. The caller throws it as `payout/{code}`. */
export function withdrawalRefusal(
  request: WithdrawalRequest,
  facts: WithdrawalFacts,
  now: Date,
  settings: WithdrawalSettings,
): WithdrawalRefusal | null {
  const { method, availableMinor, recent, closing } = facts;
  if (now < method.usableFrom)
    return { code: 'method-held', data: { until: method.usableFrom.toISOString() } };
  if (request.speed === 'instant' && !method.instant) return { code: 'instant-unavailable', data: undefined };
  const { currency } = method;
  const terms = withdrawalTerms(currency, settings);
  const minimumMinor = minWithdrawal(request.speed, terms, closing ? availableMinor : null);
  if (request.amountMinor < minimumMinor) return { code: 'below-minimum', data: { minimumMinor, currency } };
  const perDay = settings.WITHDRAWALS_PER_DAY;
  const from = freeFrom(recent, perDay);
  if (from) return { code: 'daily-limit', data: { perDay, from: from.toISOString() } };
  return request.amountMinor > availableMinor
    ? { code: 'balance-short', data: { availableMinor, currency } }
    : null;
}

/** The countries (ISO 3166-1) that payouts reach. */
const payoutCountries =
  `AD AT AU BE BG CA CH CY CZ DE DK EC EE ES FI FO FR GB GG GL GR HR IE IM IT JE JP LI LT LU LV MC MT NL NO NZ PL PT
  SE SG SI SJ SK SM SV US VA`.split(/\s+/);

/** The currency in which someone of this country is paid; null where payouts aren't available. */
export const payoutCurrency = (countryCode: string): Currency | null =>
  payoutCountries.includes(countryCode) ? currencyOfCountry(countryCode) : null;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** TypeScript 7.0 has no type for `getTimeZones`. */
type Place = Intl.Locale & { getTimeZones?(): string[] | undefined };

let countries: Map<string, string> | null = null;

function countryByZone(): Map<string, string> {
  if (countries) return countries;
  countries = new Map();
  for (const first of letters)
    for (const second of letters) {
      const place: Place = new Intl.Locale(`und-${first}${second}`);
      for (const zone of place.getTimeZones?.() ?? []) if (place.region) countries.set(zone, place.region);
    }
  return countries;
}

/** The country of a time zone (ISO 3166-1); null at sea and where several countries share it. */
export function countryOfZone(timeZone: string): string | null {
  // The list uses CLDR names, where Asia/Ho_Chi_Minh is Asia/Saigon.
  const { timeZone: zone } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions();
  return countryByZone().get(zone) ?? null;
}

/** The status of a worker's account at the provider; `wasPaid` once the provider had verified them. */
export function accountStatus(
  {
    isClosed,
    isPaid,
    needs,
    dueBy,
  }: { isClosed: boolean; isPaid: boolean; needs: readonly unknown[]; dueBy: string | null },
  wasPaid: boolean,
): Exclude<PayoutAccountStatus, 'none'> {
  if (isClosed) return 'closed';
  if (!isPaid) return wasPaid ? 'restricted' : 'in_progress';
  return needs.length > 0 && dueBy !== null ? 'more_needed' : 'active';
}

/** Returns the reminder that is due before payouts stop: 14 or 3 days; otherwise null. */
export function reminderDays(dueBy: Date, now: Date): 14 | 3 | null {
  const timeLeft = dueBy.getTime() - now.getTime();
  if (timeLeft <= 0 || timeLeft > 14 * dayMs) return null;
  return timeLeft > 3 * dayMs ? 14 : 3;
}
