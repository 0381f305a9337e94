import { addMs, dayMs } from '../durations.ts';
import type { FieldIssue } from '../field-issues.rules.ts';
import { companyProblems, isTaxNumber } from '../people/company-facts.rules.ts';

export const workerInvoiceKinds = ['invoice', 'credit_note', 'pro_forma', 'pro_forma_credit'] as const;
export type WorkerInvoiceKind = (typeof workerInvoiceKinds)[number];

/**
 * The version of the self-billing agreement that workers agree to now, and its date. A change of its words
 * needs the next version.
 */
export const selfBillingVersion = 2;
export const selfBillingDate = '2026-11-29';

/** Days in which a worker may object to an invoice in their name. */
export const objectionDays = 7;

export const objectionReasons = ['amount', 'details', 'other'] as const;
export type ObjectionReason = (typeof objectionReasons)[number];

/** The end of the time to object, exclusive. */
export const objectUntil = (issuedAt: Date): Date => addMs(issuedAt, objectionDays * dayMs);

type Kinded = { kind: WorkerInvoiceKind };

/** True for a document that reverses lines of another one. */
export const isCredit = ({ kind }: Kinded): boolean => kind === 'credit_note' || kind === 'pro_forma_credit';

/** True for a document that is no invoice by law. */
export const isProForma = ({ kind }: Kinded): boolean => kind === 'pro_forma' || kind === 'pro_forma_credit';

/**
 * True for an invoice that the worker objected to, other than for its amount, and for a pro forma: their details can
 * change, but not what was paid.
 */
export const mayBeReplaced = ({ kind, objection }: Kinded & { objection: ObjectionReason | null }): boolean =>
  kind === 'pro_forma' || (kind === 'invoice' && (objection === 'details' || objection === 'other'));

/**
 * A worker's answer about VAT: registered with a VAT id; exempt, by a small-business scheme or as someone
 * without VAT in a country whose rules we don't have; or unsure, or registered in such a country, which makes
 * every document a pro forma.
 */
export const vatStatuses = ['registered', 'exempt', 'unsure'] as const;
export type VatStatus = (typeof vatStatuses)[number];

const vatCountries = [
  ...(['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE'] as const),
  ...(['IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'GB', 'CH', 'NO'] as const),
];
export type VatCountry = (typeof vatCountries)[number];

/** True if an invoice can show the VAT of a seller in this country. In other countries no seller is `registered`. */
export const hasVatRules = (countryCode: string): countryCode is VatCountry =>
  vatCountries.some((country) => country === countryCode);

/** The law of the seller's country that exempts a small business, as an invoice cites it. Not legally checked. */
const smallBusinessLaws: Record<string, string> = {
  AT: '§ 6 Abs. 1 Z 27 UStG',
  BE: 'artikel 56bis WBTW, article 56bis CTVA',
  CH: 'Art. 10 Abs. 2 Bst. a MWSTG',
  DE: '§ 19 UStG',
  FR: 'TVA non applicable, art. 293 B du CGI',
  GB: 'Schedule 1 to the Value Added Tax Act 1994',
  NL: 'artikel 25 Wet op de omzetbelasting 1968',
  NO: 'merverdiavgiftsloven § 2-1',
};

/** The law that an invoice without VAT must cite, by the worker's country. */
export const smallBusinessLaw = (countryCode: string): string =>
  smallBusinessLaws[countryCode] ?? 'Directive 2006/112/EC, art. 284';

type Facts = {
  street: string;
  postcode: string;
  town: string;
  countryCode: string;
  taxNumber: string;
  vatStatus: VatStatus;
  vatId: string;
  vatSince: string | null;
};

const fields: Record<string, string> = {
  registeredStreet: 'street',
  registeredPostcode: 'postcode',
  registeredTown: 'town',
};

/**
 * The problems of a worker's tax details, by field. An invoice without VAT needs a tax number (EN 16931,
 * BR-E-02).
 */
export function taxProblems(facts: Facts): FieldIssue[] {
  const { street, postcode, town, countryCode, taxNumber, vatStatus, vatId, vatSince } = facts;
  const problems = companyProblems({
    countryCode,
    registrationNumber: '',
    vatId,
    registeredStreet: street,
    registeredPostcode: postcode.toUpperCase(),
    registeredTown: town,
  }).map((problem) => ({ ...problem, path: fields[problem.path] ?? problem.path }));
  if (vatStatus === 'exempt' && taxNumber === '')
    problems.push({ path: 'taxNumber', message: 'a tax number, without a VAT id', rule: 'missing' });
  if (taxNumber !== '' && !isTaxNumber(countryCode, taxNumber))
    problems.push({ path: 'taxNumber', message: 'a tax number of the country', rule: 'tax-number' });
  if (vatStatus === 'registered' && !hasVatRules(countryCode))
    problems.push({ path: 'vatStatus', message: 'a country whose VAT we can show', rule: 'choice' });
  if (vatStatus === 'registered') {
    if (vatId === '') problems.push({ path: 'vatId', message: 'the VAT id', rule: 'missing' });
    if (vatSince === null)
      problems.push({ path: 'vatSince', message: 'the first day with VAT', rule: 'missing' });
  } else {
    if (vatId !== '')
      problems.push({ path: 'vatId', message: 'no VAT id without a registration', rule: 'choice' });
    if (vatSince !== null)
      problems.push({ path: 'vatSince', message: 'no day without a registration', rule: 'choice' });
  }
  return problems;
}
