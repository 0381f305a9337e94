import type { Currency } from '../currencies.ts';

/** A statutory minimum wage per hour, for adults without special conditions. */
export type PayFloor = {
  country: string;
  minorPerHour: number;
  currency: Currency;
  /** The first day it applies, YYYY-MM-DD. */
  from: string;
  source: string;
};

/** Statutory hourly minimum wages, oldest first. Other countries cause no warning. `PAY_FLOORS` replaces rates. */
export const payFloors: readonly PayFloor[] = [
  floor('CZ', 13_440, 'CZK', '2026-01-01', 'Czech Ministry of Labour, minimum wage from 1 January 2026'),
  floor('DE', 1_390, 'EUR', '2026-01-01', 'Germany, Fifth Minimum Wage Adjustment Ordinance (MiLoV5), 2025'),
  floor('DE', 1_460, 'EUR', '2027-01-01', 'Germany, Fifth Minimum Wage Adjustment Ordinance (MiLoV5), 2025'),
  floor('FR', 1_202, 'EUR', '2026-01-01', 'France, SMIC per hour from 1 January 2026, service-public.fr'),
  floor('GB', 1_221, 'GBP', '2025-04-01', 'United Kingdom, National Living Wage, gov.uk'),
  floor('GB', 1_271, 'GBP', '2026-04-01', 'United Kingdom, National Living Wage, gov.uk'),
  floor('IE', 1_415, 'EUR', '2026-01-01', 'Ireland, National Minimum Wage Order, January 2026'),
  floor('NL', 1_440, 'EUR', '2025-07-01', 'Netherlands, Wet minimumloon, rijksoverheid.nl'),
  floor('NL', 1_471, 'EUR', '2026-01-01', 'Netherlands, Wet minimumloon, rijksoverheid.nl'),
  floor('NZ', 2_350, 'NZD', '2025-04-01', 'New Zealand, Minimum Wage Order 2025'),
  floor('PL', 3_140, 'PLN', '2026-01-01', 'Poland, minimum hourly rate from 1 January 2026, gov.pl'),
  floor('US', 725, 'USD', '2009-07-24', 'United States, Fair Labor Standards Act, federal rate'),
];

function floor(
  country: string,
  minorPerHour: number,
  currency: Currency,
  from: string,
  source: string,
): PayFloor {
  return { country, minorPerHour, currency, from, source };
}

/** Hourly rates in minor units that replace a country's; 0 turns its check off. */
export type OwnPayFloors = Readonly<Record<string, number>>;

/** The minimum hourly pay in a country on a day (YYYY-MM-DD), in minor units; null if unknown in this currency. */
export function payFloorOn(
  place: { country: string; currency: string },
  day: string,
  floors: OwnPayFloors,
): number | null {
  const replaced = floors[place.country];
  if (replaced !== undefined) return replaced > 0 ? replaced : null;
  const rate = payFloors.findLast(
    ({ country, currency, from }) => country === place.country && currency === place.currency && from <= day,
  );
  return rate?.minorPerHour ?? null;
}
