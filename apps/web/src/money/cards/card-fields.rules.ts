import { hourMs } from '@nearhand/contract/durations';
import { cardNumberDigits, isCardExpired } from '@nearhand/contract/money/cards.rules';

/** The digits alone. */
export const bareNumber = (text: string): string => text.replace(/\D/g, '');

/** Digits in groups of four, as on a card. */
export const groupedNumber = (text: string): string =>
  bareNumber(text)
    .slice(0, cardNumberDigits.max)
    .replace(/(\d{4})(?=\d)/g, '$1 ');

/** `12/28` while typing: `1228`, `12 / 28` and `12/2028` are accepted. */
export function typedExpiry(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (digits.length > 4) return `${digits.slice(0, 2)}/${digits.slice(4, 6)}`;
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : text.replace(/[^\d/]/g, '');
}

/** Month and full year, or null for an invalid month. */
export function readExpiry(text: string): { month: number; year: number } | null {
  const found = /^(\d{1,2})\/(\d{2})$/.exec(text);
  const month = Number(found?.[1]);
  if (!found || month < 1 || month > 12) return null;
  return { month, year: 2000 + Number(found[2]) };
}

/** The last time zone on earth is this far behind UTC; the provider decides. */
const lastZoneMs = 12 * hourMs;

/** What is wrong with a typed expiry: it can't be read, or its month is over everywhere. */
export function expiryProblem(text: string, now: Date): 'unreadable' | 'expired' | null {
  const expiry = readExpiry(text);
  if (!expiry) return 'unreadable';
  return isCardExpired(expiry, new Date(now.getTime() - lastZoneMs)) ? 'expired' : null;
}
