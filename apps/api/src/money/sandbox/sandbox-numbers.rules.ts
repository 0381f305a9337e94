/** The behaviour of a sandbox card, by its test number (docs/payments.md). */
export type CardBehaviour =
  | 'pays'
  | 'declined'
  | 'insufficient_funds'
  | 'expired'
  | 'confirm'
  | 'late'
  | 'late_failure'
  | 'chargeback_lost'
  | 'chargeback_won';

/** The behaviour of a sandbox bank account, by the last digits of its number. */
export type BankBehaviour = 'pays' | 'closed' | 'fails_later' | 'returned' | 'late' | 'not_instant';

const cards: Record<string, CardBehaviour> = {
  '4242424242424242': 'pays',
  '5555555555554444': 'pays',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired',
  '4000000000003220': 'confirm',
  '4000000000000077': 'late',
  '4000000000005126': 'late_failure',
  '4000000000000259': 'chargeback_lost',
  '4000000000002685': 'chargeback_won',
};

const bankEndings: Record<string, BankBehaviour> = {
  '0001': 'closed',
  '0002': 'fails_later',
  '0003': 'returned',
  '0004': 'late',
  '0005': 'not_instant',
};

/** Unknown numbers are declined, so that nobody types a real card without noticing. */
export const behaviourOfCard = (digits: string): CardBehaviour => cards[digits] ?? 'declined';

/** The last four digits choose what a payout does (payments.md); any other account pays. */
export const behaviourOfBank = (accountNumber: string): BankBehaviour =>
  bankEndings[accountNumber.slice(-4)] ?? 'pays';

export const withoutSeparators = (typed: string): string => typed.replace(/[\s-]/g, '');

export function brandOfCard(digits: string): string {
  const two = Number(digits.slice(0, 2));
  const four = Number(digits.slice(0, 4));
  if (digits.startsWith('4')) return 'Visa';
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return 'Mastercard';
  if (two === 34 || two === 37) return 'American Express';
  return 'Card';
}

/** Length of an IBAN by country (SWIFT IBAN registry). */
const ibanLengths: Record<string, number> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  XK: 20,
};

/**
 * Checks an IBAN by ISO 13616: the length of its country, and a remainder of 1 when divided by 97. `iban` is bare and
 * in capitals.
 */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{4,30}$/.test(iban) || ibanLengths[iban.slice(0, 2)] !== iban.length)
    return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** The check digit of an ABA routing number: weights 3, 7, 1. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false;
  const weights = [3, 7, 1];
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
