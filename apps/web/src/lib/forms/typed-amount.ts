import { maxMinor } from '@nearhand/contract/arithmetic';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { decimalSeparator } from '../words/format.ts';

const plainOf = (text: string): string =>
  plainDigits(text)
    .trim()
    .replace(/[\s\u00a0\u202f']/g, '');

/** Returns whether the text is an amount above the maximum, which `minorFromTyped` does not parse. */
export function isAboveMaximum(text: string, digits: number): boolean {
  const [, units] = /^(\d{1,40})(?:[.,]\d*)?$/.exec(plainOf(text)) ?? [];
  return units !== undefined && BigInt(units) * 10n ** BigInt(digits) > BigInt(maxMinor);
}

/** Parses "18", "18.50", "18,5" or "1 250" to minor units, without floats. Null if invalid or above the maximum. */
export function minorFromTyped(text: string, digits: number): number | null {
  const plain = plainOf(text);
  const match = /^(\d{1,8})(?:[.,](\d*))?$/.exec(plain);
  if (!match) return null;
  const [, units = '', part = ''] = match;
  if (part.length > digits) return null;
  const minor = Number(units + part.padEnd(digits, '0'));
  return minor <= maxMinor ? minor : null;
}

export const typedAmountMax = 20;

export function typedFromMinor(minor: number, digits: number): string {
  const text = String(minor).padStart(digits + 1, '0');
  if (digits === 0) return text;
  const part = text.slice(-digits);
  return /^0+$/.test(part) ? text.slice(0, -digits) : `${text.slice(0, -digits)}${decimalSeparator()}${part}`;
}
