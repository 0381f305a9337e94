import { type Language, languageNames, languages } from './languages.ts';

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
    .map((lines) =>
      lines
        .join('\n')
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim(),
    )
    .filter((part) => part !== '')
    .join('\n\n');
}
