/** Bank methods of the provider by their displayed brand; they have no number, so they are saved by name. */
export const bankMethods = { ideal: 'iDEAL', bancontact: 'Bancontact' } as const;
export type BankMethod = keyof typeof bankMethods;

/** The brand of a saved bank account that is debited. */
export const debitBrand = 'SEPA';

/** `debit`: takes working days and may fail until then. `bank`: its owner approves each payment at their bank. */
export type MethodKind = 'card' | 'debit' | 'bank';

/** The kind of a stored payment method, by its brand. */
export function methodKind(brand: string): MethodKind {
  if (brand === debitBrand) return 'debit';
  return Object.values<string>(bankMethods).includes(brand) ? 'bank' : 'card';
}

/** Digits of a card number (ISO/IEC 7812-1). */
export const cardNumberDigits = { min: 12, max: 19 } as const;
/** Digits of a security code: four on American Express, three elsewhere. */
export const securityCodeDigits = { min: 3, max: 4 } as const;

/** Checks the length and check digit of a card number (ISO/IEC 7812-1, Annex B). `digits` has no spaces. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  if (digits.length < cardNumberDigits.min || digits.length > cardNumberDigits.max) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export const isSecurityCode = (text: string): boolean =>
  /^\d+$/.test(text) && text.length >= securityCodeDigits.min && text.length <= securityCodeDigits.max;

/** Past the last day of its month, in UTC. */
export const isCardExpired = ({ month, year }: { month: number; year: number }, now: Date): boolean =>
  now.getTime() >= Date.UTC(year, month, 1);
