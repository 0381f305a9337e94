import { type Currency, currencyDigits } from '../currencies.ts';

/**
 * Converts an amount configured for two-digit currencies: 500 is €5.00, or 5 in a currency without a minor
 * unit. Rounded up, never to zero unless it is zero (ADR 77).
 */
export const scaledMinor = (twoDigitMinor: number, currency: Currency): number =>
  Math.ceil((twoDigitMinor * 10 ** currencyDigits[currency]) / 100);
