import { shareOfAmount, sumOf } from '@nearhand/contract/arithmetic';
import type { vatCategories } from '@nearhand/contract/money/invoices';
import {
  hasVatRules,
  smallBusinessLaw,
  type VatCountry,
} from '@nearhand/contract/money/worker-invoices.rules';

export type VatCategory = (typeof vatCategories)[number];

/** Reasons to charge no VAT. `abroad-…` ends with the seller's law: the EU's or a country's. */
export type VatReason =
  | 'reverse-charge'
  | 'abroad-eu'
  | 'abroad-gb'
  | 'abroad-ch'
  | 'abroad-no'
  | 'no-vat-law'
  | 'small-business';

/** The rate is in basis points (21 % = 2100); 0 with a reason. */
export type VatTreatment = { category: VatCategory; rateBasisPoints: number; reason: VatReason | null };

export type VatParty = { countryCode: string; registrationNumber: string; vatId: string };

type Rate = readonly [from: string, basisPoints: number];

/**
 * Standard VAT rates from a day on, oldest first; none before 2024, since no fee is older. Sources of the
 * EU's, compared on 29 November 2026: vat-rates-eu-countries of newcraft.dev (December 2025) and mindlink.lv
 * (before the changes of Estonia and Romania); no official source was read. The rates of GB, CH and NO and
 * the words of laws below were not looked up. A tax adviser has to check all (docs/going-live.md).
 */
const standardRates: Record<VatCountry, readonly [Rate, ...Rate[]]> = {
  AT: [['2024-01-01', 2000]],
  BE: [['2024-01-01', 2100]],
  BG: [['2024-01-01', 2000]],
  CY: [['2024-01-01', 1900]],
  CZ: [['2024-01-01', 2100]],
  DE: [['2024-01-01', 1900]],
  DK: [['2024-01-01', 2500]],
  EE: [
    ['2024-01-01', 2200],
    ['2025-07-01', 2400],
  ],
  ES: [['2024-01-01', 2100]],
  FI: [
    ['2024-01-01', 2400],
    ['2024-09-01', 2550],
  ],
  FR: [['2024-01-01', 2000]],
  GR: [['2024-01-01', 2400]],
  HR: [['2024-01-01', 2500]],
  HU: [['2024-01-01', 2700]],
  IE: [['2024-01-01', 2300]],
  IT: [['2024-01-01', 2200]],
  LT: [['2024-01-01', 2100]],
  LU: [['2024-01-01', 1700]],
  LV: [['2024-01-01', 2100]],
  MT: [['2024-01-01', 1800]],
  NL: [['2024-01-01', 2100]],
  PL: [['2024-01-01', 2300]],
  PT: [['2024-01-01', 2300]],
  RO: [
    ['2024-01-01', 1900],
    ['2025-08-01', 2100],
  ],
  SE: [['2024-01-01', 2500]],
  SI: [['2024-01-01', 2200]],
  SK: [
    ['2024-01-01', 2000],
    ['2025-01-01', 2300],
  ],
  GB: [['2024-01-01', 2000]],
  CH: [['2024-01-01', 810]],
  NO: [['2024-01-01', 2500]],
};

const outsideUnion = ['GB', 'CH', 'NO'];
const isInUnion = (countryCode: string): boolean =>
  hasVatRules(countryCode) && !outsideUnion.includes(countryCode);

/** The standard rate of a country on a day, in basis points; null for a country without VAT in the table. */
export function standardRate(countryCode: string, day: string): number | null {
  if (!hasVatRules(countryCode)) return null;
  const rates = standardRates[countryCode];
  return (rates.findLast(([from]) => from <= day) ?? rates[0])[1];
}

const withoutVat = (category: VatCategory, reason: VatReason): VatTreatment => ({
  category,
  rateBasisPoints: 0,
  reason,
});

/**
 * The VAT on our fee for a supply on a day. The place of supply is the buyer's country for a business
 * (Directive 2006/112/EC, art. 44), otherwise the seller's (art. 45). A business has a VAT id or, outside the
 * EU, a registration number. A seller without a VAT id is in the small-business scheme.
 */
export function vatOf(seller: VatParty, buyer: VatParty, day: string): VatTreatment {
  const rateBasisPoints = standardRate(seller.countryCode, day);
  if (rateBasisPoints === null) return withoutVat('O', 'no-vat-law');
  if (seller.vatId === '') return withoutVat('E', 'small-business');
  const isAbroad = buyer.countryCode !== seller.countryCode;
  const isBusiness = buyer.vatId !== '' || (!isInUnion(buyer.countryCode) && buyer.registrationNumber !== '');
  if (!isAbroad || !isBusiness) return { category: 'S', rateBasisPoints, reason: null };
  switch (seller.countryCode) {
    case 'GB':
      return withoutVat('O', 'abroad-gb');
    case 'CH':
      return withoutVat('O', 'abroad-ch');
    case 'NO':
      return withoutVat('Z', 'abroad-no');
    default:
      return isInUnion(buyer.countryCode) ? withoutVat('AE', 'reverse-charge') : withoutVat('O', 'abroad-eu');
  }
}

/**
 * The words that the law of the buyer's country requires on a reverse charge (Directive 2006/112/EC, art. 226
 * no. 11a), in its language.
 */
const reverseChargeWords: Record<string, string> = {
  AT: 'Steuerschuldnerschaft des Leistungsempfängers',
  BE: 'btw verlegd, autoliquidation',
  DE: 'Steuerschuldnerschaft des Leistungsempfängers',
  DK: 'omvendt betalingspligt',
  ES: 'inversión del sujeto pasivo',
  FI: 'käännetty verovelvollisuus',
  FR: 'autoliquidation',
  IT: 'inversione contabile',
  LU: 'autoliquidation',
  NL: 'btw verlegd',
  PL: 'odwrotne obciążenie',
  PT: 'IVA – autoliquidação',
  SE: 'omvänd betalningsskyldighet',
};

/**
 * The words that an invoice by the buyer bears, in the language of the buyer's country (Directive
 * 2006/112/EC, art. 226 no. 10a). Not legally checked, as the words above.
 */
const selfBillingTerms: Record<string, string> = {
  AT: 'Gutschrift',
  BE: 'factuur uitgereikt door afnemer, autofacturation',
  DE: 'Gutschrift',
  DK: 'selvfakturering',
  ES: 'facturación por el destinatario',
  FI: 'itselaskutus',
  FR: 'autofacturation',
  IT: 'autofatturazione',
  LU: 'autofacturation',
  NL: 'factuur uitgereikt door afnemer',
  PL: 'samofakturowanie',
  PT: 'autofaturação',
  SE: 'självfakturering',
};

/** The self-billing words of a document; the British words mention the seller's VAT, so they need some. */
export function selfBillingTerm(document: {
  seller: VatParty;
  buyer: VatParty;
  vat: readonly VatSum[];
  corrects: unknown;
}): string | undefined {
  const { seller, buyer, vat, corrects } = document;
  if (buyer.countryCode !== 'GB') return selfBillingTerms[buyer.countryCode];
  const isOutputTax =
    seller.countryCode === 'GB' && corrects === null && vat.some(({ vatMinor }) => vatMinor > 0);
  return isOutputTax ? 'The VAT shown is your output tax due to HMRC' : undefined;
}

/** The wording that the law of a party's country requires for a reason; empty if it requires none. */
export function legalWording(reason: VatReason, seller: VatParty, buyer: VatParty): string {
  if (reason === 'reverse-charge') return reverseChargeWords[buyer.countryCode] ?? '';
  if (reason === 'small-business') return smallBusinessLaw(seller.countryCode);
  return '';
}

/**
 * The part without VAT of an amount that includes it, rounded half up. Minor units. An invoice names the price
 * of an hour without VAT too (Directive 2006/112/EC, art. 226 no. 8).
 */
export const withoutVatMinor = (grossMinor: number, rateBasisPoints: number): number => {
  const grossShare = BigInt(10_000 + rateBasisPoints);
  return Number((BigInt(grossMinor) * 20_000n + grossShare) / (2n * grossShare));
};

export type VatSum = VatTreatment & { taxableMinor: number; vatMinor: number };

/**
 * The VAT breakdown of an invoice: one row per category and rate, VAT rounded half up on the row's sum, not
 * on each line (EN 16931, BR-CO-17, BR-S-08). Minor units of any currency.
 */
export function vatBreakdown(lines: readonly (VatTreatment & { netMinor: number })[]): VatSum[] {
  const groups = Map.groupBy(lines, ({ category, rateBasisPoints }) => `${category} ${rateBasisPoints}`);
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (!first) return [];
    const { category, rateBasisPoints, reason } = first;
    const taxableMinor = sumOf([first, ...rest], ({ netMinor }) => netMinor);
    return [
      {
        category,
        rateBasisPoints,
        reason,
        taxableMinor,
        vatMinor: shareOfAmount(taxableMinor, rateBasisPoints),
      },
    ];
  });
}
