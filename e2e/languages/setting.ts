import type { Language } from '@nearhand/contract/languages';

/** The languages of journeys, with the browser's locale for each. */
export const locales: Partial<Record<Language, string>> = { en: 'en-GB', nl: 'nl-NL', ar: 'ar' };

export const language = (process.env.E2E_LANGUAGE ?? 'en') as Language;

const known = locales[language];
if (!known) throw new Error(`E2E_LANGUAGE is one of ${Object.keys(locales).join(', ')}, not ${language}`);
export const locale = known;
