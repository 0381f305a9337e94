/** The languages of screens, mails and pushes as BCP 47 tags. English is first: it is the source of the others. */
export const languages = ['en', 'nl', 'de', 'fr', 'es', 'ar'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Record<Language, string> = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ar: 'العربية',
};

const rightToLeft: readonly Language[] = ['ar'];

export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  rightToLeft.includes(language) ? 'rtl' : 'ltr';

const spacedDates = /^(en|es|ar)\b/;

/**
 * The text of a formatted date. In English, Spanish and Arabic, a weekday before a day has no comma after it within a
 * sentence ("Sat 21 Nov", "el sáb 21 nov"), but `Intl` writes one.
 */
export const dateOfParts = (tag: string, parts: readonly Intl.DateTimeFormatPart[]): string =>
  parts
    .map(({ value }, index) =>
      parts[index - 1]?.type === 'weekday' && parts[index + 1]?.type === 'day' && spacedDates.test(tag)
        ? value.replace(/[,،]/, '')
        : value,
    )
    .join('');

/** The first supported language among a reader's, ignoring regions; null if none is. */
export function languageIn(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split('-')[0];
    const match = languages.find((language) => language === primary);
    if (match) return match;
  }
  return null;
}

/**
 * The first supported language of an Accept-Language header (RFC 9110 §12.5.4). Languages with `q=0` do not count.
 */
export function languageOfHeader(header: string | null | undefined): Language | null {
  const accepted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return languageIn(accepted.map(({ tag }) => tag));
}
