import type { Currency } from '../currencies.ts';
import type { PayUnit } from './jobs.ts';
import { hiringLimits } from './limits.ts';

/** Hours per pay unit as exact fractions (ADR 7): a day of 8 hours, a week of 40, a year of 52 weeks. */
const hoursPerUnit: Record<Exclude<PayUnit, 'fixed'>, readonly [numerator: bigint, denominator: bigint]> = {
  hour: [1n, 1n],
  day: [8n, 1n],
  week: [40n, 1n],
  month: [2_080n, 12n],
  year: [2_080n, 1n],
};

/** Hourly pay in minor units, rounded half up; null for a fixed price, which has no hours. */
export function hourlyPay(payMinor: number | null, unit: PayUnit): number | null {
  if (payMinor === null || unit === 'fixed') return null;
  const [numerator, denominator] = hoursPerUnit[unit];
  return Number((2n * BigInt(payMinor) * denominator + numerator) / (2n * numerator));
}

/** Guards against a typing error, such as a day's pay entered per hour. Minor units. */
export const isTooMuchAnHour = (payMinor: number | null, unit: PayUnit): boolean =>
  (hourlyPay(payMinor, unit) ?? 0) > hiringLimits.hourlyPayMaxMinor;

/** The minimum pay by currency, in minor units: below any wage, but too much to post jobs that only move money. */
const payMin: Readonly<Record<Currency, { hour: number; fixed: number }>> = {
  EUR: { hour: 300, fixed: 500 },
  USD: { hour: 300, fixed: 500 },
  GBP: { hour: 250, fixed: 450 },
  CHF: { hour: 300, fixed: 500 },
  DKK: { hour: 2_200, fixed: 3_800 },
  SEK: { hour: 3_000, fixed: 5_500 },
  NOK: { hour: 3_500, fixed: 6_000 },
  PLN: { hour: 1_200, fixed: 2_000 },
  CZK: { hour: 7_000, fixed: 12_000 },
  CAD: { hour: 450, fixed: 800 },
  AUD: { hour: 500, fixed: 900 },
  NZD: { hour: 600, fixed: 1_000 },
  SGD: { hour: 450, fixed: 750 },
  JPY: { hour: 500, fixed: 900 },
};

/** The minimum pay of a job, in minor units. Even a short shift must pay the fixed minimum. */
export function payMinOf(
  currency: Currency,
  unit: 'hour' | 'fixed',
  paidMinutes: number | null = null,
): number {
  const { hour, fixed } = payMin[currency];
  if (unit === 'fixed') return fixed;
  return paidMinutes ? Math.max(hour, Math.ceil((fixed * 60) / paidMinutes)) : hour;
}

/** True if pay in any unit is below the plausible minimum; false if there is no pay. */
export function isTooLittlePay(
  payMinor: number | null,
  unit: PayUnit,
  currency: Currency,
  paidMinutes: number | null = null,
): boolean {
  if (payMinor === null) return false;
  return unit === 'fixed'
    ? payMinor < payMinOf(currency, 'fixed')
    : (hourlyPay(payMinor, unit) ?? 0) < payMinOf(currency, 'hour', paidMinutes);
}
