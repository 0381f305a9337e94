import { type Currency, currencyDigits } from '../currencies.ts';

/** Converts an amount configured with two digits: 500 is €5.00, or 5 without a minor unit. Rounded up (ADR 77). */
export const scaledMinor = (twoDigitMinor: number, currency: Currency): number =>
  Math.ceil((twoDigitMinor * 10 ** currencyDigits[currency]) / 100);
