import { parse, type Token } from '@messageformat/parser';
import { directionOf, type Language } from '@nearhand/contract/languages';
import { type CatalogueEntry, elementsOf, readCatalogue } from '../../apps/web/build/read-catalogue.ts';

const root = `${import.meta.dirname}/../..`;
const folders = [`${root}/apps/web/src/locales`, `${root}/apps/api/locales`];

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
// Playwright's selectors parse a quote in an expression as their own.
const quotes: Record<string, string> = { "'": '\\u0027', '"': '\\u0022' };
export const literal = (text: string) =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replaceAll(/['"]/g, (quote) => quotes[quote] ?? quote)
    .replaceAll(/\s+/g, '\\s+');

/** Regular-expression source that matches a message; its placeholders (`fill`) match anything by default. */
export const sourceOf = (
  tokens: readonly Token[],
  fill: (placeholder: string) => string = () => '.+?',
  counted = '',
): string =>
  tokens
    .map((token) => {
      if (token.type === 'content') return literal(token.value.replaceAll(/<\/?\w+\/?>/g, ''));
      if ('cases' in token)
        return `(?:${token.cases.map((branch) => sourceOf(branch.tokens, fill, token.arg)).join('|')})`;
      return fill('arg' in token ? token.arg : counted);
    })
    .join('');

const patternOf = (messages: readonly string[], end = '\\s*$'): RegExp =>
  new RegExp(`^\\s*(?:${messages.map((message) => sourceOf(parse(message))).join('|')})${end}`, 'su');

/** The texts by their English. Ids of notices and mails end with it, such as `notice/New review`. */
export const textsOf = (language: Language): [english: string, CatalogueEntry][] =>
  folders.flatMap((folder) =>
    Object.entries(readCatalogue(folder, language)).map(([id, entry]): [string, CatalogueEntry] => [
      entry.message ?? id.replace(/^\w+\//, ''),
      entry,
    ]),
  );

/** Returns whether a message has words, to distinguish it from user input. */
const hasWords = (message: string) => /\p{L}{3}/u.test(message.replaceAll(/\{[^{}]*\}|<\/?\w+\/?>/g, ''));

export type Words = {
  language: Language;
  direction: 'ltr' | 'rtl';
  /** Matches the whole translation of an English message, whatever its placeholders contain. */
  say(english: string): RegExp;
  /** Matches a text that begins with it: a control's name followed by an explanation. */
  begin(english: string): RegExp;
  english(texts: readonly string[]): string[];
};

export function wordsIn(language: Language): Words {
  const translated = new Map<string, string[]>();
  for (const [message, { translation }] of textsOf(language))
    translated.set(message, [...(translated.get(message) ?? []), plain(translation || message)]);
  // A button whose words are part of a sentence has no separate message.
  for (const [message, { translation }] of textsOf(language)) {
    const tags = elementsOf(translation || message);
    for (const [number, text] of elementsOf(message))
      if (!translated.has(text)) translated.set(text, [plain(tags.get(number) ?? text)]);
  }
  // Compiled on first use: a journey in English needs none of them.
  let patterns: { foreign: RegExp[]; own: RegExp[] } | null = null;
  const compiled = () => {
    const all = [...translated];
    return {
      foreign: all
        .filter(([message, translations]) => hasWords(message) && !translations.includes(plain(message)))
        .map(([message]) => patternOf([message])),
      own: all.flatMap(([, translations]) => translations.filter(hasWords)).map((text) => patternOf([text])),
    };
  };
  const translationsOf = (english: string): string[] => {
    const translation = translated.get(english);
    if (!translation) throw new Error(`No message "${english}"`);
    return translation;
  };
  return {
    language,
    direction: directionOf(language),
    say: (english) => patternOf(translationsOf(english)),
    begin: (english) => patternOf(translationsOf(english), '(?!\\p{L})'),
    english(texts) {
      patterns ??= compiled();
      const { foreign, own } = patterns;
      return texts.filter(
        (text) => foreign.some((pattern) => pattern.test(text)) && !own.some((pattern) => pattern.test(text)),
      );
    },
  };
}
