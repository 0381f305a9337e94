import { countryCodes } from '@nearhand/contract/people/company-facts.rules';
import { locale } from './format.ts';

let options: { value: string; label: string }[] | null = null;

const countryNames = (): Intl.DisplayNames => new Intl.DisplayNames(locale(), { type: 'region' });

/** The name of a country in the reader's language; empty while none is chosen. */
export const countryName = (code: string): string => (code === '' ? '' : (countryNames().of(code) ?? code));

export const currencyNames = (): Intl.DisplayNames => new Intl.DisplayNames(locale(), { type: 'currency' });

export function countryOptions(): { value: string; label: string }[] {
  if (options) return options;
  const names = countryNames();
  const order = new Intl.Collator(locale());
  options = countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => order.compare(a.label, b.label));
  return options;
}
