import { z } from 'zod';
import { maxMinor } from './arithmetic.ts';
import { currencies } from './currencies.ts';

export const currency = z.enum(currencies);

/** Integer minor units (cents); never a float. */
export const minor = z.number().int().min(0).max(maxMinor);

/** An amount of money: integer minor units and its currency, always together. */
export const money = z.object({ minor: z.number().int(), currency });
export type Money = z.infer<typeof money>;
