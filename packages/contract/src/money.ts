import { z } from 'zod';
import { currencies } from './currencies.ts';

export { type Currency, currencies, currencyDigits } from './currencies.ts';

/** An ISO 4217 code that the platform pays in. */
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
