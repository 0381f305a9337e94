import type { Currency } from '../currencies.ts';

/**
 * Countries (ISO 3166-1) by their currency, for the currencies that the platform pays in (ISO 4217, list one). Payouts
 * reach fewer countries: `payoutCountries` in the API.
 */
const countries: Record<Currency, string> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  USD: 'AQ AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  GBP: 'GB GG IM JE',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  SEK: 'SE',
  NOK: 'BV NO SJ',
  PLN: 'PL',
  CZK: 'CZ',
  CAD: 'CA',
  AUD: 'AU CC CX HM KI NF NR TV',
  NZD: 'CK NU NZ PN TK',
  SGD: 'SG',
  JPY: 'JP',
};

/** The currency of a country; null if the platform does not pay in it. */
export const currencyOfCountry = (countryCode: string): Currency | null =>
  (Object.keys(countries) as Currency[]).find((currency) =>
    countries[currency].split(' ').includes(countryCode),
  ) ?? null;

/** The currency of a business by its country, or the euro if the platform does not pay in its own. */
export const businessCurrency = (countryCode: string): Currency => currencyOfCountry(countryCode) ?? 'EUR';
