import { remainder97, type TransferAccount } from '@nearhand/contract/money/bank-transfers.rules';
import { companyProblems, vatIdOf } from '@nearhand/contract/people/company-facts.rules';
import { isTimeZone } from '@nearhand/contract/zoned-time';
import { z } from 'zod';
import { httpUrl } from './config-shapes.ts';

const words = (max: number) => z.string().trim().min(1).max(max);

const iban = z
  .string()
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
  .refine(
    // ISO 13616: the first four characters count last.
    (text) =>
      /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder97(text.slice(4) + text.slice(0, 4)) === 1,
    'an IBAN',
  );

const company = z
  .strictObject({
    legalName: words(160),
    street: words(200),
    postcode: words(20),
    town: words(100),
    countryCode: z.string().regex(/^[A-Z]{2}$/, 'a country code such as BE'),
    registrationNumber: words(60),
    /** The register that keeps the number, where the law requires it, such as `RPR Gent`. */
    register: words(100).optional(),
    /** Absent for a company that charges no VAT, such as one in the small-business scheme. */
    vatId: words(30).optional(),
    /** The address for questions about invoices. */
    email: z.email(),
    /** The account for the open amount of an invoice. */
    iban: iban.optional(),
    /** The zone of invoices' dates and years. */
    timeZone: z.string().refine(isTimeZone, 'a time zone such as Europe/Brussels'),
  })
  .superRefine((facts, context) => {
    const {
      street: registeredStreet,
      postcode: registeredPostcode,
      town: registeredTown,
      vatId = '',
      ...rest
    } = facts;
    for (const { path, message } of companyProblems({
      ...rest,
      vatId,
      registeredStreet,
      registeredPostcode,
      registeredTown,
    }))
      context.addIssue({ code: 'custom', message, path: [fieldOf(path)] });
  })
  .transform(({ vatId, ...facts }) => ({
    ...facts,
    vatId: vatId === undefined ? '' : (vatIdOf(facts.countryCode, vatId) ?? ''),
  }));

const fieldOf = (path: string): string =>
  ({ registeredStreet: 'street', registeredPostcode: 'postcode', registeredTown: 'town' })[path] ?? path;

/** The company that runs this server: its legal data for invoices and the imprint. */
export type PlatformCompany = z.output<typeof company>;

const example: PlatformCompany = {
  legalName: 'Nearhand NV',
  street: 'Kouter 12',
  postcode: '9000',
  town: 'Gent',
  countryCode: 'BE',
  registrationNumber: '0791.348.269',
  register: 'RPR Gent',
  vatId: 'BE0791348269',
  email: 'books@nearhand.example',
  iban: 'BE68539007547034',
  timeZone: 'Europe/Brussels',
};

const transferAccount = z.strictObject({
  holder: words(70),
  iban,
  /** Absent where banks don't need it, as in SEPA. */
  bic: z
    .string()
    .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'a BIC such as KREDBEBB')
    .default(''),
  bankName: words(60),
});

const exampleTransferAccount: TransferAccount = {
  holder: 'Nearhand client money',
  iban: 'BE71096123456769',
  bic: 'GKCCBEBB',
  bankName: 'Belfius',
};

/** Reads a setting that is JSON before its shape checks it. */
const fromJson = (text: string, context: z.RefinementCtx): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'JSON' });
    return z.NEVER;
  }
};

export const companySettings = {
  PLATFORM_COMPANY: {
    shape: z.string().transform(fromJson).pipe(company).optional(),
    doc: `The company that runs this server, as JSON: ${Object.keys(company.in.shape).join(', ')}. register, vatId and iban may be left out. On invoices, in the imprint and in the privacy policy. Without it a production server issues no invoices; any other one uses an example.`,
  },
  TRANSFER_ACCOUNT: {
    shape: z.string().transform(fromJson).pipe(transferAccount).optional(),
    doc: `The bank account, in euros, to which businesses transfer money for their balance, as JSON: ${Object.keys(transferAccount.shape).join(', ')}. bic may be left out. Its statements are imported in the operators' console. Without it a production server takes no transfers; any other one uses an example.`,
  },
  VIES_URL: {
    shape: httpUrl.optional(),
    doc: 'REST address of VIES, https://ec.europa.eu/taxation_customs/vies/rest-api, which says whether VAT ids of the EU are valid; without it only their form is checked.',
  },
} as const;

/** Production has no example company, which must never appear on real invoices or take real money. */
export const withCompany = (config: {
  NODE_ENV: 'development' | 'test' | 'production';
  PLATFORM_COMPANY?: PlatformCompany;
  TRANSFER_ACCOUNT?: TransferAccount;
}) => {
  const isProduction = config.NODE_ENV === 'production';
  return {
    PLATFORM_COMPANY: config.PLATFORM_COMPANY ?? (isProduction ? undefined : example),
    TRANSFER_ACCOUNT: config.TRANSFER_ACCOUNT ?? (isProduction ? undefined : exampleTransferAccount),
  };
};

/** The company in the lines of an address, for receipts and the imprint. */
export const companyLines = (company: PlatformCompany): string[] =>
  [
    company.legalName,
    company.street,
    `${company.postcode} ${company.town}, ${company.countryCode}`,
    company.vatId,
    [company.registrationNumber, company.register].filter((part) => part !== undefined).join(', '),
  ].filter((line) => line !== '');
