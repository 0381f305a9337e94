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

/** Joins a text in several languages so that each reader gets their own part: a line such as `[Nederlands]` begins it. */
export const textInLanguages = (texts: readonly (readonly [language: Language, text: string])[]): string => {
  const [first] = texts;
  return texts.length <= 1
    ? (first?.[1] ?? '')
    : texts.map(([language, text]) => `[${languageNames[language]}]\n${text}`).join('\n\n');
};

/**
 * The part of an operator's text that a reader understands: what is before the first language, and their own one, else
 * English, else the first. A text without such lines is for everyone.
 */
export function textFor(text: string, reader: Language): string {
  const parts = new Map<Language | null, string[]>([[null, []]]);
  let language: Language | null = null;
  for (const line of text.split('\n')) {
    const named = languages.find((value) => line.trim() === `[${languageNames[value]}]`);
    if (named === undefined) parts.get(language)?.push(line);
    else {
      language = named;
      parts.set(named, [...(parts.get(named) ?? []), '']);
    }
  }
  if (parts.size === 1) return text;
  const [, [firstLanguage = null] = []] = [...parts];
  const readerLines = parts.get(reader) ?? parts.get('en') ?? parts.get(firstLanguage) ?? [];
  return [parts.get(null) ?? [], readerLines]
    .map((lines) => lines.join('\n').trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

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
