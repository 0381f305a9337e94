import type { FieldIssue } from '../field-issues.rules.ts';

/**
 * Registration numbers, VAT ids and postcodes by country: their form and check digits. Whether a number was
 * given to someone is not checked here. Sources: the structure table and the algorithms of VIES (European
 * Commission, TAXUD), HMRC, UID of the Swiss Federal Statistical Office, Brønnøysundregistrene.
 */

const digitsOf = (text: string): number[] => [...text].map(Number);
const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(text[at]), 0);
/** True if the check digit is right by the Luhn formula, which cards use too. */
const luhn = (text: string): boolean =>
  digitsOf(text)
    .reverse()
    .reduce((sum, digit, at) => sum + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0) %
    10 ===
  0;
/** True if the check digit is right by ISO 7064, Mod 11,10. */
const mod11and10 = (text: string): boolean => {
  let product = 10;
  for (const digit of digitsOf(text.slice(0, -1))) product = (((digit + product) % 10 || 10) * 2) % 11;
  return (product + Number(text.at(-1))) % 10 === 1;
};
const mod97 = (text: string): number => Number(BigInt(text) % 97n);
/** The check digit is the last one; a sum that gives 10 has none. */
const mod11 = (text: string, weights: readonly number[]): boolean => {
  const check = (11 - (weighted(text, weights) % 11)) % 11;
  return check < 10 && check === Number(text[weights.length]);
};
const remainder11 = (text: string, weights: readonly number[]): number => weighted(text, weights) % 11;

const dutch = (text: string): boolean =>
  remainder11(text, [9, 8, 7, 6, 5, 4, 3, 2]) === Number(text[8]) ||
  mod97([...`NL${text}`].map((sign) => (/\d/.test(sign) ? sign : sign.charCodeAt(0) - 55)).join('')) === 1;

const spanishLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
function spanish(text: string): boolean {
  if (/^[\dXYZ]\d{7}[A-Z]$/.test(text))
    return (
      spanishLetters[
        Number(text.slice(0, 8).replace(/[XYZ]/, (sign) => String('XYZ'.indexOf(sign)))) % 23
      ] === text[8]
    );
  if (/^[KLM]\d{7}[A-Z]$/.test(text)) return spanishLetters[Number(text.slice(1, 8)) % 23] === text[8];
  const middle = digitsOf(text.slice(1, 8));
  const sum = middle.reduce(
    (total, digit, at) => total + (at % 2 === 1 ? digit : digit * 2 - (digit > 4 ? 9 : 0)),
    0,
  );
  const check = (10 - (sum % 10)) % 10;
  const end = text[8] ?? '';
  const isLetterMatch = 'JABCDEFGHI'[check] === end;
  const isDigitMatch = String(check) === end;
  const kind = text[0] ?? '';
  if ('NPQRSW'.includes(kind)) return isLetterMatch;
  return 'ABEH'.includes(kind) ? isDigitMatch : isLetterMatch || isDigitMatch;
}

function irish(text: string): boolean {
  const old = /^\d[A-Z+*]\d{5}[A-Z]$/.test(text);
  const digits = old ? `0${text.slice(2, 7)}${text[0]}` : text.slice(0, 7);
  const extra = !old && text.length === 9 ? 'WABCDEFGHI'.indexOf(text[8] ?? '') * 9 : 0;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(digits, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === text[7];
}

function british(text: string): boolean {
  const sum = weighted(text, [8, 7, 6, 5, 4, 3, 2]) + Number(text.slice(7, 9));
  // Numbers of 100 and above belong to three series.
  return (Number(text.slice(0, 3)) < 100 ? [0] : [0, 42, 55]).includes(sum % 97);
}

const french = (text: string): boolean =>
  luhn(text.slice(2)) && (!/^\d\d/.test(text) || Number(text.slice(0, 2)) === mod97(`${text.slice(2)}12`));

const czech = (text: string): boolean => {
  if (text.length !== 8) return true;
  const check = (11 - (weighted(text, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10;
  return check === Number(text[7]);
};

const cypriot = (text: string): boolean => {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
  const sum = digitsOf(text.slice(0, 8)).reduce(
    (total, digit, at) => total + (at % 2 === 0 ? (odd[digit] ?? 0) : digit),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === text[8];
};

const bulgarian = (text: string): boolean => {
  // Ten digits are a person's number, of three kinds.
  if (text.length !== 9) return true;
  const first = remainder11(text, [1, 2, 3, 4, 5, 6, 7, 8]);
  const check = first < 10 ? first : remainder11(text, [3, 4, 5, 6, 7, 8, 9, 10]) % 10;
  return check === Number(text[8]);
};

const lithuanian = (text: string): boolean => {
  const weights = (start: number) => digitsOf(text.slice(0, -1)).map((_, at) => ((at + start - 1) % 9) + 1);
  const first = remainder11(text, weights(1));
  const check = first < 10 ? first : remainder11(text, weights(3)) % 10;
  return check === Number(text.at(-1));
};

const polish = (text: string): boolean => remainder11(text, [6, 5, 7, 2, 3, 4, 5, 6, 7]) === Number(text[9]);
const belgian = (text: string): boolean => 97 - mod97(text.slice(0, 8)) === Number(text.slice(8));
const swiss = (text: string): boolean => mod11(text, [5, 4, 3, 2, 7, 6, 5, 4]);
const norwegian = (text: string): boolean => mod11(text, [3, 2, 7, 6, 5, 4, 3, 2]);
const danish = (text: string): boolean => weighted(text, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
const finnish = (text: string): boolean => mod11(text, [7, 9, 10, 5, 8, 4, 2]);
const portuguese = (text: string): boolean =>
  ((11 - remainder11(text, [9, 8, 7, 6, 5, 4, 3, 2])) % 11) % 10 === Number(text[8]);
const estonian = (text: string): boolean =>
  (10 - (weighted(text, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10 === Number(text[8]);
const greek = (text: string): boolean =>
  (weighted(text, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(text[8]);
const hungarian = (text: string): boolean =>
  (10 - (weighted(text, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === Number(text[7]);
const austrian = (text: string): boolean => {
  const sum = digitsOf(text.slice(1, 8)).reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : Math.floor(digit / 5) + ((digit * 2) % 10)),
    0,
  );
  return (96 - sum) % 10 === Number(text[8]);
};
const luxembourgish = (text: string): boolean => Number(text.slice(0, 6)) % 89 === Number(text.slice(6));
// A number that begins with 0 to 3 is a person's.
const latvian = (text: string): boolean =>
  Number(text[0]) > 3
    ? weighted(text, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3
    : ((1 + weighted(text, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === Number(text[10]);
const maltese = (text: string): boolean => weighted(text, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0;
const romanian = (text: string): boolean => {
  const padded = text.padStart(10, '0');
  return ((weighted(padded, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === Number(padded[9]);
};
const slovenian = (text: string): boolean => {
  const check = 11 - remainder11(text, [8, 7, 6, 5, 4, 3, 2]);
  return check < 11 && check % 10 === Number(text[7]);
};

type Kind = {
  pattern: RegExp;
  example: string;
  /** Checks the check digits; absent if there are none. */
  fits?: (bare: string) => boolean;
  /** True for the number of a business, by which the tax office can't identify a person. */
  isRegister?: true;
};

/** VAT ids without their prefix, by country (ISO 3166-1). */
const vatKinds: Record<string, Kind & { prefix?: string }> = {
  AT: { pattern: /^U\d{8}$/, example: 'ATU37675002', fits: austrian },
  BE: { pattern: /^[01]\d{9}$/, example: 'BE0417497106', fits: belgian },
  BG: { pattern: /^\d{9,10}$/, example: 'BG175074752', fits: bulgarian },
  CY: { pattern: /^\d{8}[A-Z]$/, example: 'CY10259033P', fits: cypriot },
  CZ: { pattern: /^(?:[0-8]\d{7}|\d{9,10})$/, example: 'CZ25123891', fits: czech },
  DE: { pattern: /^[1-9]\d{8}$/, example: 'DE136695976', fits: mod11and10 },
  DK: { pattern: /^[1-9]\d{7}$/, example: 'DK13585628', fits: danish },
  EE: { pattern: /^\d{9}$/, example: 'EE100931558', fits: estonian },
  ES: {
    pattern: /^(?:[A-HJNP-SUVW]\d{7}[A-J\d]|[\dXYZKLM]\d{7}[A-Z])$/,
    example: 'ESB58378431',
    fits: spanish,
  },
  FI: { pattern: /^\d{8}$/, example: 'FI20774740', fits: finnish },
  FR: { pattern: /^[A-HJ-NP-Z\d]{2}\d{9}$/, example: 'FR40303265045', fits: french },
  GB: { pattern: /^\d{9}(?:\d{3})?$/, example: 'GB980780684', fits: british },
  GR: { prefix: 'EL', pattern: /^\d{9}$/, example: 'EL094259216', fits: greek },
  HR: { pattern: /^\d{11}$/, example: 'HR33392005961', fits: mod11and10 },
  HU: { pattern: /^\d{8}$/, example: 'HU12892312', fits: hungarian },
  IE: {
    pattern: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
    example: 'IE6433435F',
    fits: irish,
  },
  IT: { pattern: /^\d{7}(?:0\d\d|100|12[01]|888|999)\d$/, example: 'IT00743110157', fits: luhn },
  LT: { pattern: /^(?:\d{3})?\d{7}1\d$/, example: 'LT119511515', fits: lithuanian },
  LU: { pattern: /^\d{8}$/, example: 'LU15027442', fits: luxembourgish },
  LV: { pattern: /^\d{11}$/, example: 'LV40003521600', fits: latvian },
  MT: { pattern: /^[1-9]\d{7}$/, example: 'MT11679112', fits: maltese },
  NL: { pattern: /^\d{9}B\d\d$/, example: 'NL004495445B01', fits: dutch },
  PL: { pattern: /^\d{10}$/, example: 'PL8567346215', fits: polish },
  PT: { pattern: /^[1-9]\d{8}$/, example: 'PT501964843', fits: portuguese },
  RO: { pattern: /^[1-9]\d{1,9}$/, example: 'RO18547290', fits: romanian },
  SE: { pattern: /^\d{10}01$/, example: 'SE556188840401', fits: (text) => luhn(text.slice(0, 10)) },
  SI: { pattern: /^[1-9]\d{7}$/, example: 'SI50223054', fits: slovenian },
  SK: { pattern: /^[1-9]\d[2-47-9]\d{7}$/, example: 'SK2022749619', fits: (text) => Number(text) % 11 === 0 },
  // The suffix is "VAT" in a national language; it is not stored.
  CH: { prefix: 'CHE', pattern: /^\d{9}$/, example: 'CHE-107.787.577', fits: swiss },
  LI: { prefix: 'CHE', pattern: /^\d{9}$/, example: 'CHE-107.787.577', fits: swiss },
  NO: { prefix: '', pattern: /^\d{9}$/, example: '988077917 MVA', fits: norwegian },
};

/** Registration numbers without separators, by country. */
const registrationKinds: Record<string, Kind> = {
  AT: { pattern: /^(?:FN)?\d{1,6}[A-Z]$/, example: 'FN 122119m' },
  BE: { pattern: /^(?:BE)?[01]\d{9}$/, example: '0417.497.106', fits: (text) => belgian(text.slice(-10)) },
  CH: { pattern: /^CHE\d{9}$/, example: 'CHE-107.787.577', fits: (text) => swiss(text.slice(3)) },
  CZ: { pattern: /^\d{8}$/, example: '25123891', fits: czech },
  DE: { pattern: /^[A-ZÄÖÜß]*?(?:HRA|HRB|GNR|PR|VR|GSR)\d{1,6}[A-Z]{0,3}$/, example: 'HRB 12345' },
  DK: { pattern: /^[1-9]\d{7}$/, example: '13585628', fits: danish },
  EE: { pattern: /^\d{8}$/, example: '10345833' },
  ES: {
    pattern: /^(?:[A-HJNP-SUVW]\d{7}[A-J\d]|[\dXYZKLM]\d{7}[A-Z])$/,
    example: 'B58378431',
    fits: spanish,
  },
  FI: { pattern: /^\d{8}$/, example: '2077474-0', fits: finnish },
  FR: {
    pattern: /^(?:\d{9}|\d{14})$/,
    example: '303 265 045',
    // The establishments of La Poste (SIREN 356000000) follow a separate rule.
    fits: (text) =>
      luhn(text.slice(0, 9)) && (text.length === 9 || text.startsWith('356000000') || luhn(text)),
  },
  GB: { pattern: /^(?:\d{7,8}|[A-Z]{2}\d{6})$/, example: '00445790' },
  IE: { pattern: /^\d{5,6}$/, example: '123456' },
  IT: { pattern: /^(?:[A-Z]{2}\d{5,7}|\d{11})$/, example: 'MI-1234567' },
  LU: { pattern: /^[A-Z]\d{1,6}$/, example: 'B123456' },
  NL: { pattern: /^\d{8}$/, example: '81264097' },
  NO: { pattern: /^[89]\d{8}$/, example: '988 077 917', fits: norwegian },
  PL: { pattern: /^(?:\d{9,10}|\d{14})$/, example: '0000028860' },
  PT: { pattern: /^\d{9}$/, example: '501964843', fits: portuguese },
  SE: { pattern: /^\d{10}$/, example: '556188-8404', fits: luhn },
  US: { pattern: /^\d{9}$/, example: '12-3456789' },
};
/** Used for countries that are not in the table: a number has digits. */
const anyRegistration: Kind = { pattern: /^(?=.*\d)[\p{L}\d]{3,30}$/u, example: '12345678' };

const elevenProof = (text: string): boolean =>
  (weighted(text, [9, 8, 7, 6, 5, 4, 3, 2]) + 10 * Number(text[8])) % 11 === 0;
const checkedByThirteenDigits = (text: string): boolean =>
  (10 - (weighted(text, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(text[12]);
/** A person's number; people born since 2000 have a 2 before it when its check digits are made. */
const belgianPerson = (text: string): boolean =>
  ['', '2'].some((century) => 97 - mod97(`${century}${text.slice(0, 9)}`) === Number(text.slice(9)));
const frenchPerson = (text: string): boolean => Number(text.slice(0, 10)) % 511 === Number(text.slice(10));
/** The check digit of a Unique Taxpayer Reference is its first. */
const britishTaxpayer = (text: string): boolean =>
  '21987654321'[weighted(text.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11] === text[0];

/**
 * Numbers by which a self-employed person is known to the tax office or in a register, without separators, by
 * country. Sources: the TIN sheets of the OECD, and the registers above.
 */
const taxKinds: Record<string, [Kind, ...Kind[]]> = {
  AT: [
    { pattern: /^\d{9}$/, example: '12-345/6782' },
    { pattern: /^(?:FN)?\d{1,6}[A-Z]$/, example: 'FN 122119m', isRegister: true },
  ],
  BE: [
    {
      pattern: /^(?:BE)?[01]\d{9}$/,
      example: '0417.497.106',
      fits: (text) => belgian(text.slice(-10)),
      isRegister: true,
    },
    { pattern: /^\d{11}$/, example: '85.07.30-033 28', fits: belgianPerson },
  ],
  CH: [
    {
      pattern: /^CHE\d{9}$/,
      example: 'CHE-107.787.577',
      fits: (text) => swiss(text.slice(3)),
      isRegister: true,
    },
    { pattern: /^756\d{10}$/, example: '756.9217.0769.85', fits: checkedByThirteenDigits },
  ],
  DE: [{ pattern: /^(?:\d{10,11}|\d{4}0\d{8})$/, example: '151/815/08156' }],
  ES: [
    { pattern: /^(?:[\dXYZKLM]\d{7}[A-Z]|[A-HJNP-SUVW]\d{7}[A-J\d])$/, example: '12345678Z', fits: spanish },
  ],
  FR: [
    {
      pattern: /^(?:\d{9}|\d{14})$/,
      example: '303 265 045',
      fits: (text) => luhn(text.slice(0, 9)) && (text.length === 9 || luhn(text)),
      isRegister: true,
    },
    { pattern: /^[0-3]\d{12}$/, example: '30 23 217 600 053', fits: frenchPerson },
  ],
  GB: [
    { pattern: /^\d{10}$/, example: '19558 39661', fits: britishTaxpayer },
    { pattern: /^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/, example: 'AA 12 34 56 A' },
    { pattern: /^(?:\d{8}|[A-Z]{2}\d{6})$/, example: '00445790', isRegister: true },
  ],
  IT: [
    {
      pattern: /^[A-Z]{6}[\dLMNP-V]{2}[A-Z][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]$/,
      example: 'RSSMRA80A01H501U',
    },
    { pattern: /^\d{11}$/, example: '00743110157', fits: luhn },
  ],
  NL: [
    { pattern: /^\d{8}$/, example: '81264097', isRegister: true },
    { pattern: /^\d{9}$/, example: '111222333', fits: elevenProof },
    { pattern: /^\d{9}B\d\d$/, example: '111222333B01', fits: elevenProof, isRegister: true },
  ],
  PL: [
    { pattern: /^\d{10}$/, example: '8567346215', fits: polish },
    { pattern: /^\d{11}$/, example: '44051401359' },
  ],
  PT: [{ pattern: /^[1-9]\d{8}$/, example: '501964843', fits: portuguese }],
};
/** Used for other countries: at least five characters, most of them digits, and not one digit repeated. */
const anyTaxNumber: Kind = {
  pattern: /^(?=(?:.*\d){4})(?!(\d)\1+$)[\p{L}\d]{5,30}$/u,
  example: '12345678',
};

const postcodes: Record<string, { pattern: RegExp; example: string }> = {
  ...Object.fromEntries(
    ['AT', 'BE', 'BG', 'CH', 'CY', 'DK', 'HU', 'LI', 'LU', 'NO', 'SI'].map((country) => [
      country,
      { pattern: /^\d{4}$/, example: '9000' },
    ]),
  ),
  ...Object.fromEntries(
    ['DE', 'EE', 'ES', 'FI', 'FR', 'HR', 'IT'].map((country) => [
      country,
      { pattern: /^\d{5}$/, example: '10115' },
    ]),
  ),
  ...Object.fromEntries(
    ['CZ', 'GR', 'SE', 'SK'].map((country) => [country, { pattern: /^\d{3} ?\d{2}$/, example: '110 00' }]),
  ),
  GB: { pattern: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, example: 'EC1A 1BB' },
  IE: { pattern: /^[AC-FHKNPRTV-Y]\d[\dW] ?[\dAC-FHKNPRTV-Y]{4}$/, example: 'D02 AF30' },
  LT: { pattern: /^(?:LT-?)?\d{5}$/, example: 'LT-01100' },
  LV: { pattern: /^(?:LV-?)?\d{4}$/, example: 'LV-1010' },
  MT: { pattern: /^[A-Z]{3} ?\d{4}$/, example: 'VLT 1117' },
  NL: { pattern: /^[1-9]\d{3} ?[A-Z]{2}$/, example: '1015 MN' },
  PL: { pattern: /^\d{2}-?\d{3}$/, example: '00-950' },
  PT: { pattern: /^\d{4}-?\d{3}$/, example: '1000-001' },
  RO: { pattern: /^\d{6}$/, example: '010011' },
  US: { pattern: /^\d{5}(?:-\d{4})?$/, example: '10001' },
};

/** A typed number as it is stored for a tax office: in capitals, without spaces, dots, dashes and slashes. */
export const withoutSeparators = (typed: string): string => typed.toUpperCase().replace(/[\s.\-–/]/g, '');
const holds = ({ pattern, fits }: Kind, text: string): boolean =>
  pattern.test(text) && (fits === undefined || fits(text));

/**
 * A typed VAT id as it is stored and printed, with its prefix (`NL861942735B01`). The prefix may be left out.
 * Null if the number isn't valid in that country, or if we can't check that country's numbers.
 */
export function vatIdOf(countryCode: string, typed: string): string | null {
  const kind = vatKinds[countryCode];
  if (!kind) return null;
  const prefix = kind.prefix ?? countryCode;
  const text = withoutSeparators(typed);
  const number = (text.startsWith(prefix) ? text.slice(prefix.length) : text).replace(
    /(?:MVA|MWST|TVA|IVA)$/,
    '',
  );
  if (!holds(kind, number)) return null;
  return countryCode === 'NO' ? `${number}MVA` : `${prefix}${number}`;
}

/** Checks the format and check digits of a registration number. */
export const isRegistrationNumber = (countryCode: string, typed: string): boolean =>
  holds(registrationKinds[countryCode] ?? anyRegistration, withoutSeparators(typed));

/**
 * Checks the format of a self-employed person's tax or register number, and its check digits where they are
 * published; elsewhere only that it looks like a number.
 */
export const isTaxNumber = (countryCode: string, typed: string): boolean =>
  (taxKinds[countryCode] ?? [anyTaxNumber]).some((kind) => holds(kind, withoutSeparators(typed)));

const personalKinds = (countryCode: string): readonly Kind[] =>
  (taxKinds[countryCode] ?? [anyTaxNumber]).filter(({ isRegister }) => isRegister !== true);

/** Checks the format of the number by which the tax office identifies a person (TIN), as `isTaxNumber` does. */
export const isPersonalTaxNumber = (countryCode: string, typed: string): boolean =>
  personalKinds(countryCode).some((kind) => holds(kind, withoutSeparators(typed)));

export const personalTaxNumberExample = (countryCode: string): string =>
  (personalKinds(countryCode)[0] ?? anyTaxNumber).example;

/** Checks the format of a postcode; any text passes for countries without a known format. */
export const isPostcode = (countryCode: string, typed: string): boolean =>
  postcodes[countryCode]?.pattern.test(typed.trim().toUpperCase()) ?? true;

/** Examples of each number in a country; null if it has none. */
export const companyExamples = (countryCode: string) => ({
  registrationNumber: (registrationKinds[countryCode] ?? anyRegistration).example,
  vatId: vatKinds[countryCode]?.example ?? null,
  taxNumber: (taxKinds[countryCode] ?? [anyTaxNumber])[0].example,
  postcode: postcodes[countryCode]?.example ?? null,
});

export type CompanyFacts = {
  countryCode: string;
  registrationNumber: string;
  vatId: string;
  /** The address of the legal registeredAddress: street and number. */
  registeredStreet: string;
  registeredPostcode: string;
  registeredTown: string;
};

/** Faults of company facts by field. All may be empty; an address is complete or empty. */
export function companyProblems(facts: CompanyFacts): FieldIssue[] {
  const problems: FieldIssue[] = [];
  const { countryCode, registrationNumber, vatId, registeredStreet, registeredPostcode, registeredTown } =
    facts;
  if (registrationNumber !== '' && !isRegistrationNumber(countryCode, registrationNumber))
    problems.push({
      path: 'registrationNumber',
      message: 'a registration number of the country',
      rule: 'registration-number',
    });
  if (vatId !== '' && vatIdOf(countryCode, vatId) === null)
    problems.push({ path: 'vatId', message: 'a VAT id of the country', rule: 'vat-id' });
  const hasSpot = registeredStreet !== '' || registeredPostcode !== '' || registeredTown !== '';
  if (!hasSpot) return problems;
  if (registeredStreet === '')
    problems.push({ path: 'registeredStreet', message: 'a whole address', rule: 'missing' });
  if (registeredTown === '')
    problems.push({ path: 'registeredTown', message: 'a whole address', rule: 'missing' });
  if (registeredPostcode === '' && countryCode in postcodes)
    problems.push({ path: 'registeredPostcode', message: 'a whole address', rule: 'missing' });
  else if (registeredPostcode !== '' && !isPostcode(countryCode, registeredPostcode))
    problems.push({ path: 'registeredPostcode', message: 'a postcode of the country', rule: 'postcode' });
  return problems;
}

/** ISO 3166-1 codes of inhabited countries. */
export const countryCodes =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  ) as [string, ...string[]];
