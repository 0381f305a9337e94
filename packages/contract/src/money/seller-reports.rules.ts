import type { FieldIssue } from '../field-issues.rules.ts';
import { isPersonalTaxNumber, isPostcode } from '../people/company-facts.rules.ts';
import { birthdayProblem } from './payouts.rules.ts';

/** A law by which platforms report what they pay to workers. Days are `MM-DD`. */
export type ReportingLaw = {
  name: 'DAC7' | 'UK platform reporting';
  source: string;
  /** The first calendar year to report. */
  firstYear: number;
  /** Countries in which the platform and the reported workers are resident. */
  countries: readonly string[];
  /** True if work of a person counts. It has no lower limit; only sellers of goods have one. */
  personalServices: boolean;
  /** The day of the next year by which the tax office and each worker have the report. */
  reportBy: string;
  /** Years that details and reports are stored after the year of the last payment. */
  storedYears: number;
  /** Countries whose tax office takes the XML of the OECD as it is published; the others get the CSV. */
  xmlCountries: readonly string[];
};

/**
 * Laws on the reports of platforms, as of 29 November 2026. No adviser has checked the table. Switzerland,
 * Norway and the USA are omitted: their requirements differ, and we report nothing there.
 */
export const reportingLaws: readonly ReportingLaw[] = [
  {
    name: 'DAC7',
    source:
      'Directive 2011/16/EU, annex V, as amended by Directive (EU) 2021/514: personal services, section I.A.8 and I.A.11; limit for goods only, I.B.4.d; what is collected, II.B; reminders and withheld payments, IV.A.2; what is reported, III.B; storage of 5 to 10 years, IV.B',
    firstYear: 2023,
    countries: [
      ...(['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'] as const),
      ...(['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'] as const),
    ],
    personalServices: true,
    reportBy: '01-31',
    storedYears: 7,
    xmlCountries: ['NL'],
  },
  {
    name: 'UK platform reporting',
    source: 'The Platform Operators (Due Diligence and Reporting Requirements) Regulations 2023, SI 2023/817',
    firstYear: 2024,
    countries: ['GB'],
    personalServices: true,
    reportBy: '01-31',
    storedYears: 7,
    xmlCountries: [],
  },
];

/** The law that a platform of a country reports by; null if it has none. */
export const reportingLawOf = (countryCode: string): ReportingLaw | null =>
  reportingLaws.find(({ countries }) => countries.includes(countryCode)) ?? null;

/** The days after the first request on which a worker is reminded of missing details. */
export const sellerReminderDays = [14, 35] as const;

/** Days after the first request from which withdrawals wait, after both reminders (annex V, IV.A.2: at least 60). */
export const sellerWaitDays = 60;

type SellerFacts = {
  bornOn: string;
  postcode: string;
  countryCode: string;
  taxNumber: string;
};

/** The problems of a worker's details for a tax office, by field. */
export function sellerProblems(
  { bornOn, postcode, countryCode, taxNumber }: SellerFacts,
  now: Date,
): FieldIssue[] {
  const problems: FieldIssue[] = [];
  if (birthdayProblem(bornOn, now) === 'impossible')
    problems.push({ path: 'bornOn', message: 'a date of birth', rule: 'day' });
  if (!isPostcode(countryCode, postcode))
    problems.push({ path: 'postcode', message: 'a postcode of the country', rule: 'postcode' });
  if (!isPersonalTaxNumber(countryCode, taxNumber))
    problems.push({ path: 'taxNumber', message: 'a tax number of a person', rule: 'tax-number' });
  return problems;
}
