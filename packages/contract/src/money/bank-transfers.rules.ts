/** The only currency that is taken by transfer: the account is in SEPA, and so is the QR code. */
export const transferCurrency = 'EUR';

/**
 * The remainder when a text is divided by 97, with letters as numbers from 10 (ISO 7064). IBANs and creditor
 * references are valid if it is 1 with their first four characters moved to the end.
 */
export const remainder97 = (text: string): number =>
  Number(BigInt([...text].map((sign) => Number.parseInt(sign, 36)).join('')) % 97n);

/** A creditor reference (ISO 11649): `RF`, two check digits and a body of capitals and digits. */
const creditorReference = (body: string): string =>
  `RF${String(98 - remainder97(`${body}RF00`)).padStart(2, '0')}${body}`;

const bodyDigits = 8;
const referenceForm = /RF\d{2}NH(\d{8})/g;

/** The reference of a business, from the number it has for that. */
export const transferReference = (number: number): string =>
  creditorReference(`NH${String(number).padStart(bodyDigits, '0')}`);

/** `RF18 NH10 0000 01`, as banks print it. */
export const inFours = (text: string): string => text.replace(/(.{4})(?=.)/g, '$1 ');

const writtenReferences = (texts: readonly string[]): RegExpExecArray[] =>
  texts.flatMap((text) => [
    ...text
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .matchAll(referenceForm),
  ]);

/** The numbers in what looks like a reference, also where its check digits don't fit. */
export const writtenNumbers = (texts: readonly string[]): number[] => [
  ...new Set(writtenReferences(texts).map(([, digits]) => Number(digits))),
];

/**
 * The numbers of businesses in what a payer wrote, in any spelling that keeps the characters in order.
 * `isWrong` if something looks like a reference and its check digits don't fit.
 */
export function referencesIn(texts: readonly string[]): { numbers: number[]; isWrong: boolean } {
  const references = writtenReferences(texts);
  const numbers = references.map(([, digits]) => Number(digits));
  const valid = references.flatMap(([reference], at) =>
    reference === transferReference(numbers[at] ?? 0) ? [numbers[at] ?? 0] : [],
  );
  return { numbers: [...new Set(valid)], isWrong: valid.length < references.length };
}

export type TransferAccount = { holder: string; iban: string; bic: string; bankName: string };

/** The text of the QR code with which banking apps fill in a transfer (EPC069-12, version 002). */
export const transferCode = ({ holder, iban, bic }: TransferAccount, reference: string): string =>
  ['BCD', '002', '1', 'SCT', bic, holder, iban, '', '', reference].join('\n');

/** `credited` is on the balance of a business, `outgoing` was taken from our account and is not booked. */
export const bankPaymentStates = ['unmatched', 'credited', 'sent_back', 'outgoing'] as const;
export type BankPaymentState = (typeof bankPaymentStates)[number];

/** Reasons to suggest a business: it has the payer's name, its number was written, or the account paid for it before. */
export const suggestionReasons = ['name', 'reference', 'account'] as const;

/** The reason why a payment has no business. */
export const unmatchedReasons = [
  'no_reference',
  'wrong_check_digits',
  'several_references',
  'unknown_reference',
  'not_verified',
  'closed',
  'other_currency',
] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];
