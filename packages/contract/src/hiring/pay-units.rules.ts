import { limits } from '../limits.ts';
import type { PayUnit } from './jobs.ts';

/**
 * Hours per pay unit, as a fraction, so that units compare exactly (ADR 7): a day of 8 hours, a week of 40, a year of 52 weeks, a month
 * a twelfth of that.
 */
const hoursOf: Record<Exclude<PayUnit, 'fixed'>, readonly [numerator: bigint, denominator: bigint]> = {
  hour: [1n, 1n],
  day: [8n, 1n],
  week: [40n, 1n],
  month: [2_080n, 12n],
  year: [2_080n, 1n],
};

/** Hourly pay in minor units, rounded half up; null for a fixed price, which has no hours. */
export function hourlyPay(payMinor: number | null, unit: PayUnit): number | null {
  if (payMinor === null || unit === 'fixed') return null;
  const [numerator, denominator] = hoursOf[unit];
  return Number((2n * BigInt(payMinor) * denominator + numerator) / (2n * numerator));
}

/** Whether nobody would pay that much an hour; a fixed price has no hours. */
export const isTooMuchAnHour = (payMinor: number | null, unit: PayUnit): boolean =>
  (hourlyPay(payMinor, unit) ?? 0) > limits.hourlyPayMaxMinor;
