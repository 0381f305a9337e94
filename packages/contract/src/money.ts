import { z } from 'zod';

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
export const currency = z.enum(currencies);

/** The largest amount a person may type: 10 million major units, far inside the exact integers. */
export const maxMinor = 1_000_000_000;

/** Integer minor units (cents); never a float. */
export const minor = z.number().int().min(0).max(maxMinor);

/** An amount of money: integer minor units and its currency, always together. */
export const money = z.object({ minor: z.number().int(), currency });
export type Money = z.infer<typeof money>;

// The arithmetic stands apart because the web uses it and takes no zod along.
export { payForMinutes, share } from './arithmetic.ts';
