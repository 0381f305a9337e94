import { dayMs } from '../durations.ts';
import type { FieldIssue } from '../field-issues.rules.ts';
import { companyProblems } from '../people/company-facts.rules.ts';

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
export const objectUntil = (issuedAt: Date): Date => new Date(issuedAt.getTime() + objectionDays * dayMs);

type Kinded = { kind: WorkerInvoiceKind };

/** True for a document that reverses lines of another one. */
export const isCredit = ({ kind }: Kinded): boolean => kind === 'credit_note' || kind === 'pro_forma_credit';

/** True for a document that is no invoice by law. */
export const isProForma = ({ kind }: Kinded): boolean => kind === 'pro_forma' || kind === 'pro_forma_credit';

type Facts = {
  street: string;
  postcode: string;
  town: string;
  countryCode: string;
  taxNumber: string;
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
export function taxProblems({
  street,
  postcode,
  town,
  countryCode,
  taxNumber,
  vatId,
  vatSince,
}: Facts): FieldIssue[] {
  const problems = companyProblems({
    countryCode,
    registrationNumber: '',
    vatId,
    registeredStreet: street,
    registeredPostcode: postcode.toUpperCase(),
    registeredTown: town,
  }).map((problem) => ({ ...problem, path: fields[problem.path] ?? problem.path }));
  const needsTaxNumber = vatId === '' || vatSince !== null;
  if (needsTaxNumber && taxNumber === '')
    problems.push({ path: 'taxNumber', message: 'a tax number, without a VAT id', rule: 'missing' });
  if (vatId === '' && vatSince !== null)
    problems.push({ path: 'vatId', message: 'the VAT id that applies from the day', rule: 'missing' });
  return problems;
}
