/** ISO 4217 currencies the platform pays in, with the number of digits of their minor unit (ISO 4217 list one). */
export const currencyDigits = {
  EUR: 2,
  USD: 2,
  GBP: 2,
  CHF: 2,
  DKK: 2,
  SEK: 2,
  NOK: 2,
  PLN: 2,
  CZK: 2,
  CAD: 2,
  AUD: 2,
  NZD: 2,
  SGD: 2,
  JPY: 0,
} as const;

export const currencies = Object.keys(currencyDigits) as [Currency, ...Currency[]];
export type Currency = keyof typeof currencyDigits;

/** Converts an amount configured with two digits: 500 is €5.00, or 5 without a minor unit. Rounded up (ADR 77). */
export const scaledMinor = (twoDigitMinor: number, currency: Currency): number =>
  Math.ceil((twoDigitMinor * 10 ** currencyDigits[currency]) / 100);
