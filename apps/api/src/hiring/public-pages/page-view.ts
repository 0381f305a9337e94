import { type Language, languageIn, languageOfHeader, languages } from '@nearhand/contract/languages';
import { type MailText, phraseIn } from '../../platform/mail/mail-layout.ts';
import { localeIn, type PageLocale } from './page-words.ts';

/** Language and links of a page for its reader (ADR 153). */
export type PageView = {
  readonly language: Language;
  readonly languageInAddress: boolean;
  readonly text: (message: MailText) => string;
  readonly link: (path: string) => string;
  readonly localeIn: (countryCode: string) => PageLocale;
};

const parameter = 'lang';

export const pathIn = (path: string, language: Language): string =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}=${language}`;

const pageView = (language: Language, languageInAddress: boolean): PageView => ({
  language,
  languageInAddress,
  text: (message) => phraseIn(language, message),
  link: (path) => (languageInAddress ? pathIn(path, language) : path),
  localeIn: (countryCode) => localeIn(countryCode, language),
});

const views = new Map(
  languages.flatMap((language) =>
    [true, false].map(
      (languageInAddress) =>
        [`${language} ${languageInAddress}`, pageView(language, languageInAddress)] as const,
    ),
  ),
);

/** The language of the address, otherwise the reader's first supported one, otherwise English. */
export function viewFor(requestedLanguage: unknown, accepted: string | undefined): PageView {
  const inAddress =
    typeof requestedLanguage === 'string' ? languageIn([requestedLanguage.slice(0, 10)]) : null;
  const language = inAddress ?? languageOfHeader(accepted) ?? 'en';
  return views.get(`${language} ${inAddress !== null}`) ?? pageView('en', false);
}
