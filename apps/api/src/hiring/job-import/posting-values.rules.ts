/** Reads amounts and days as other systems write them, without floats. */

import { maxMinor } from '@nearhand/contract/arithmetic';
import { type Currency, currencyDigits } from '@nearhand/contract/currencies';

export type AmountRead = { minor: number } | { problem: 'unreadable' | 'negative' | 'too-high' };

/** Groups of three digits before the decimal sign, or of two as in India: `105,746` and `1,05,746`, not `12,5`. */
const groupsOf = {
  '.': /^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?=\.|$)/,
  ',': /^[+-]?\d{1,3}(?:\.\d{2,3})*\.\d{3}(?=,|$)/,
};

/** Reads `$105,746`, `1.234,50 €` or `16.5` in minor units, rounded half up. */
export function readAmount(text: string, currency: Currency, decimal: '.' | ',' = '.'): AmountRead {
  const bare = text
    .normalize('NFKC')
    .replace(/[\p{Sc}\s’'_]/gu, '')
    .replace(/^(?:[A-Z]{1,3}(?=[\d(.,+−-]))|(?<=\d)[A-Z]{3}$/gu, '')
    .replace('−', '-');
  const plain = bare.replace(groupsOf[decimal], (match) => match.replace(/[.,]/g, ''));
  const parts = /^([+-]?)(\d{0,15})(?:([.,])(\d{0,15}))?$/.exec(plain);
  const integerPart = parts?.[2] ?? '';
  const fraction = parts?.[4] ?? '';
  if (!parts || integerPart + fraction === '' || (parts[3] ?? decimal) !== decimal)
    return { problem: 'unreadable' };
  const digits = currencyDigits[currency];
  const minorDigits = fraction.slice(0, digits).padEnd(digits, '0');
  const up = (fraction[digits] ?? '0') >= '5' ? 1n : 0n;
  const minor = BigInt(integerPart + minorDigits || '0') + up;
  if (parts[1] === '-' && minor > 0n) return { problem: 'negative' };
  if (minor > BigInt(maxMinor)) return { problem: 'too-high' };
  return { minor: Number(minor) };
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fullMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const tokens: Record<string, string> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MMM: '(?<name>[A-Za-z]{3,9})\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
};

const formatMax = 40;

/** Returns whether a mapping's format names year, month and day once each, such as D-M-YYYY. */
export function isDayFormat(format: string): boolean {
  const used: string[] = format.match(/YYYY|YY|MMM|MM|M|DD|D/g) ?? [];
  const once = (...names: string[]) => used.filter((token) => names.includes(token)).length === 1;
  return format.length <= formatMax && once('YYYY', 'YY') && once('MMM', 'MM', 'M') && once('DD', 'D');
}

/** Reads a date in `format`, such as `M/D/YYYY` or `D-MMM-YY`, as `YYYY-MM-DD`. Null for 31 February and the like. */
export function readDay(text: string, format: string): string | null {
  const pattern = format.replace(
    /YYYY|YY|MMM|MM|M|DD|D|[^YMD]+/g,
    (part) => tokens[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  const parts = new RegExp(`^${pattern}(?:[T ]\\d{1,2}:\\d{2}.{0,40})?$`).exec(text.trim())?.groups;
  if (!parts) return null;
  const year = parts.year ? Number(parts.year) : 2000 + Number(parts.short);
  const month = parts.month
    ? Number(parts.month)
    : months.indexOf((parts.name ?? '').slice(0, 3).toLowerCase()) + 1;
  return realDay(year, month, Number(parts.day));
}

export const readIsoDay = (text: string): string | null => readDay(text, 'YYYY-MM-DD');

function realDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}

/** A day for the description of a posting, in English: 3 May 2026. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${fullMonths[(month ?? 1) - 1]} ${year}`;
}
