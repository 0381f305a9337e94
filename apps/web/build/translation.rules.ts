import { parse, type Token } from '@messageformat/parser';
import type { Language } from '@nearhand/contract/languages';

type Parts = {
  placeholders: readonly string[];
  tags: readonly string[];
  choices: readonly { kind: string; arg: string; keys: readonly string[] }[];
};

const tag = /<\/?\w+\/?>/g;

function partsOf(message: string): Parts {
  const placeholders = new Set<string>();
  const choices: Parts['choices'][number][] = [];
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (!('arg' in token)) continue;
      placeholders.add(token.arg);
      if (!('cases' in token)) continue;
      choices.push({ kind: token.type, arg: token.arg, keys: token.cases.map(({ key }) => key) });
      for (const { tokens: inner } of token.cases) visit(inner);
    }
  };
  visit(parse(message));
  return {
    placeholders: [...placeholders].sort(),
    tags: [...message.matchAll(tag)].map(([match]) => match),
    choices,
  };
}

/** The plural forms of whole numbers below 200. French and Spanish have one for a round million, never used here. */
const formsOf = (language: Language): readonly string[] => {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))].filter(
    // Arabic may use the same form for zero and many.
    (form) => form !== 'zero',
  );
};

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  [...new Set(a)].sort().join('\0') === [...new Set(b)].sort().join('\0');

function nested(tags: readonly string[]): boolean {
  const open: string[] = [];
  for (const markup of tags) {
    if (markup.endsWith('/>')) continue;
    if (!markup.startsWith('</')) open.push(markup.slice(1));
    else if (open.pop() !== markup.slice(2)) return false;
  }
  return open.length === 0;
}

/** The problem of a translation of `source`, in words; null if there is none. */
export function faultOf(language: Language, source: string, translation: string): string | null {
  if (translation === '') return 'is missing';
  if (/\s$/.test(source) !== /\s$/.test(translation) || /^\s/.test(source) !== /^\s/.test(translation))
    return 'has other white space at its ends';
  // A straight apostrophe quotes the text after it (ICU), so a following placeholder would be shown verbatim.
  if (translation.includes("'") && !/'[{}]|[{}]'/.test(source)) return 'has a straight apostrophe';
  let [before, after]: Parts[] = [];
  try {
    [before, after] = [partsOf(source), partsOf(translation)];
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
  if (!sameSet(before.placeholders, after.placeholders))
    return `has the placeholders {${after.placeholders.join(', ')}} instead of {${before.placeholders.join(', ')}}`;
  if (!sameSet(before.tags, after.tags) || !nested(after.tags)) return 'has other tags';
  for (const { kind, arg, keys } of before.choices) {
    const counterparts = after.choices.filter((choice) => choice.kind === kind && choice.arg === arg);
    if (counterparts.length === 0) return `has lost the ${kind} of {${arg}}`;
    const needed =
      kind === 'select' ? keys : [...keys.filter((key) => key.startsWith('=')), ...formsOf(language)];
    for (const { keys: counterpartKeys } of counterparts) {
      const missing = needed.filter((key) => !counterpartKeys.includes(key));
      if (kind !== 'selectordinal' && missing.length > 0) return `lacks ${missing.join(', ')} of {${arg}}`;
    }
  }
  return null;
}
