/** Digits in groups of four, as they stand on a card. */
export const groupedNumber = (text: string): string =>
  text
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ');

/** `12/28` while it is typed: `1228`, `12 / 28` and `12/2028` are understood. */
export function typedExpiry(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (digits.length > 4) return `${digits.slice(0, 2)}/${digits.slice(4, 6)}`;
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : text.replace(/[^\d/]/g, '');
}

/** Month and full year, or null where it is no month. */
export function readExpiry(text: string): { month: number; year: number } | null {
  const found = /^(\d{1,2})\/(\d{2})$/.exec(text);
  const month = Number(found?.[1]);
  if (!found || month < 1 || month > 12) return null;
  return { month, year: 2000 + Number(found[2]) };
}

/** What is wrong with what stands there: no month and year, or a month that is over. A card is good to the end of its month, wherever that ends last. */
export function expiryProblem(text: string, now: Date): 'unreadable' | 'expired' | null {
  const expiry = readExpiry(text);
  if (!expiry) return 'unreadable';
  return Date.UTC(expiry.year, expiry.month, 1, 12) <= now.getTime() ? 'expired' : null;
}

/** Whether the check digit fits (ISO/IEC 7812-1, the Luhn formula). */
export function fitsCheckDigit(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 12) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
