import { type Currency, currencies } from '@nearhand/contract/currencies';
import { isApiError } from '../api/api-error.ts';

export function shortBy(error: unknown): { missingMinor: number; currency: Currency } | null {
  if (!isApiError(error, 'payment/balance-short', 'payment/method-missing')) return null;
  const { missingMinor, currency } = error.data ?? {};
  const match = currencies.find((code) => code === currency);
  return typeof missingMinor === 'number' && missingMinor > 0 && match
    ? { missingMinor, currency: match }
    : null;
}
