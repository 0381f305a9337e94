import { type Language, languageNames, languages } from './languages.ts';

/** Joins a text in several languages so that each reader gets their own part: a line such as `[Nederlands]` begins it. */
export const textInLanguages = (texts: readonly (readonly [language: Language, text: string])[]): string => {
  const [first] = texts;
  return texts.length <= 1
    ? (first?.[1] ?? '')
    : texts.map(([language, text]) => `[${languageNames[language]}]\n${text}`).join('\n\n');
};

export type TextParts = { forAll: string; parts: ReadonlyMap<Language, string> };

/** Splits an operator's text into the part before the first language, which is for everyone, and one for each language. */
export function partsOf(text: string): TextParts {
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
  const joined = (lines: readonly string[]) =>
    lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  return {
    forAll: joined(parts.get(null) ?? []),
    parts: new Map([...parts].flatMap(([named, lines]) => (named === null ? [] : [[named, joined(lines)]]))),
  };
}

/**
 * The part of an operator's text that a reader understands: what is before the first language, and their own one, else
 * English, else the first. A text without such lines is for everyone.
 */
export function textFor(text: string, reader: Language): string {
  const { forAll, parts } = partsOf(text);
  if (parts.size === 0) return text;
  const [firstPart = ''] = parts.values();
  const readerPart = parts.get(reader) ?? parts.get('en') ?? firstPart;
  return [forAll, readerPart].filter((part) => part !== '').join('\n\n');
}
