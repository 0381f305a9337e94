import { maxMinor } from '@nearhand/contract/arithmetic';
import { decimalSeparator } from '../words/format.ts';

/**
 * Parses a typed amount to minor units: "18", "18.50", "18,5", "1 250". Null if it is no amount, has more
 * digits than the currency, or exceeds the maximum. No floating point.
 */
export function minorFromTyped(text: string, digits: number): number | null {
  const plain = text.trim().replace(/[\s\u00a0\u202f']/g, '');
  const match = /^(\d{1,8})(?:[.,](\d*))?$/.exec(plain);
  if (!match) return null;
  const [, whole = '', part = ''] = match;
  if (part.length > digits) return null;
  const minor = Number(whole + part.padEnd(digits, '0'));
  return minor <= maxMinor ? minor : null;
}

export const typedAmountMax = 20;

/** Formats minor units as the reader would type them. */
export function typedFromMinor(minor: number, digits: number): string {
  const text = String(minor).padStart(digits + 1, '0');
  if (digits === 0) return text;
  const part = text.slice(-digits);
  return /^0+$/.test(part) ? text.slice(0, -digits) : `${text.slice(0, -digits)}${decimalSeparator()}${part}`;
}
