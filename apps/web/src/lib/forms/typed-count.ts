import { t } from '@lingui/core/macro';
import { plainDigits } from '@nearhand/contract/typed-digits';

type Range = { min: number; max: number };

/** Parses a typed whole number; null for anything else, and for one outside the range. */
export function countOf(text: string, { min, max }: Range): number | null {
  const digits = plainDigits(text).trim();
  const count = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
  return count >= min && count <= max ? count : null;
}

/** The problem with a typed whole number; undefined if there is none. */
export const countProblem = (text: string, range: Range): string | undefined =>
  countOf(text, range) === null ? t`Enter a whole number from ${range.min} to ${range.max}.` : undefined;
