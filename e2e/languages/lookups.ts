import { parse, type Token } from '@messageformat/parser';
import { literal, sourceOf } from './catalogue.ts';
import type { Pair } from './pairs.ts';

/** Words of a message or of a journey's text, with marks for open parts. */
type Words = string[];
type Form = { words: Words; values: string[] };
type Entry = { forms: Form[]; translations: readonly Token[][] };
type Edges = { begins: boolean; ends: boolean; ignoreCase: boolean; isText: boolean };

/** Represents the first value of a message; the n-th value is this code plus n. */
const firstMark = 0xe000;
/** Represents a wildcard of a journey's expression, such as `.*`. */
const anything = '\uf8ff';
const escaped = '\ufdd0';
const marks = /[\ue000-\uf8fe]/g;
/** A message must share this many letters and an eighth of a text: fewer are too common in user input. */
const fewestLetters = 4;
const isolates = '[\\u061c\\u200e\\u200f\\u2066-\\u2069]*';

const noDigitCut = '(?<!\\d(?=\\d))';

const wordsOf = (text: string): Words => text.split(/\s+/).filter(Boolean);
const lettersIn = (text: string) => text.replaceAll(/[^\p{L}]/gu, '').length;
const lowerWords = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
/** Words by which a message is found: short ones are too common, and count only if it has no other. */
function keysOf(message: string): string[] {
  const words = lowerWords(message);
  const long = words.filter((word) => word.length >= fewestLetters);
  return long.length > 0 ? long : words;
}

function formsOf(tokens: readonly Token[], counted = ''): { text: string; values: string[] }[] {
  let forms = [{ text: '', values: [] as string[] }];
  for (const token of tokens) {
    let next: typeof forms;
    if (token.type === 'content') next = [{ text: token.value, values: [] }];
    else if ('cases' in token) next = token.cases.flatMap((branch) => formsOf(branch.tokens, token.arg));
    else next = [{ text: String.fromCharCode(firstMark), values: ['arg' in token ? token.arg : counted] }];
    forms = forms.flatMap((form) =>
      next.map(({ text, values }) => ({
        text: `${form.text}${text.replaceAll(marks, (mark) => String.fromCharCode(mark.charCodeAt(0) + form.values.length))}`,
        values: [...form.values, ...values],
      })),
    );
  }
  return forms;
}

function entriesOf(pairs: readonly Pair[]): Entry[] {
  const translations = new Map<string, Set<string>>();
  for (const [english, other] of pairs)
    translations.set(english, (translations.get(english) ?? new Set()).add(other));
  return [...translations].map(([english, translated]) => ({
    forms: formsOf(parse(english)).map(({ text, values }) => ({ words: wordsOf(text), values })),
    translations: [...translated].map((other) => parse(other)),
  }));
}

/** Expressions for one word of a message, and for the marks after it, which a text may omit. */
function wordSource(word: string): [word: string, marksAfter: string] {
  const [, start = '', end = ''] = /^(.*?)([.,:;…?]*)$/su.exec(word) ?? [];
  return [[...start].map((sign) => (sign.match(marks) ? '(.+?)' : literal(sign))).join(''), literal(end)];
}

/** An expression for these words in a row: all of them, or only the first few. */
const runSource = (words: Words, all: boolean) =>
  words.map(wordSource).reduceRight((rest, [word, end]) => {
    const optional = `(?:${end})?`;
    if (rest === '') return `${word}${optional}`;
    return all ? `${word}${end}\\s+${rest}` : `${word}(?:${optional}|${end}\\s+${rest})`;
  }, '');

const firstWord = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/u)?.[0] ?? '';

type Reading = { values: Map<string, string>; letters: number; whole: boolean };

/** Reads a text as this message or as some of its words in a row, and counts the letters that match. Null if few do. */
function readAs({ words, values }: Form, text: string, edges: Edges): Reading | null {
  const flags = edges.ignoreCase ? 'isu' : 'su';
  const begin = firstWord(text);
  for (let start = 0; start < (edges.begins ? 1 : words.length); start += 1) {
    const left = words.slice(start);
    const [word = ''] = left;
    if (!word.match(marks) && firstWord(word) !== begin) continue;
    const matched = (all: boolean) => new RegExp(`^${runSource(left, all)}$`, flags).exec(text);
    const complete = matched(true);
    const match = complete ?? (edges.ends ? null : matched(false));
    if (!match) continue;
    const named = new Map<string, string>();
    for (const [at, mark] of (left.join(' ').match(marks) ?? []).entries()) {
      const value = match[at + 1];
      if (value === undefined) continue;
      const cut = !edges.ends && /\p{L}|@$/u.test(value) && !/\d/.test(value) && text.endsWith(value);
      named.set(values[mark.charCodeAt(0) - firstMark] ?? '', cut ? value + anything : value);
    }
    const letters = lettersIn(text) - lettersIn([...named.values()].join(' '));
    if ((letters >= fewestLetters && letters * 8 >= lettersIn(text)) || letters === lettersIn(text))
      return { values: named, letters, whole: start === 0 && complete !== null };
  }
  return null;
}

/** A number, or a time, which Arabic writes with twelve hours and without full minutes. */
function digitsSource(digits: string): string {
  const [hour, minutes] = digits.split(':');
  if (minutes === undefined) return digits;
  const arabic = `${Number(hour) % 12 || 12}${minutes === '00' ? '(?::00)?' : `:${minutes}`}\\s*${Number(hour) < 12 ? 'ص' : 'م'}`;
  return `(?:${hour}[^\\p{L}\\p{N}]${minutes}|${arabic})`;
}

/** The same digits, however a language writes the amount, date or time around them. */
function sameDigits(text: string): string {
  const other = lettersIn(text) > 0 ? '\\D' : '[^\\p{L}\\p{N}]';
  const digits = text.match(/(?<!\d)\d{1,2}:\d{2}(?!\d)|\d+/g) ?? [];
  return `${other}{0,20}${digits.map(digitsSource).join(`${other}{1,20}`)}${other}{0,20}`;
}

/** The texts that a journey's expression matches, with its edges; null if it is more complex. */
function plainTexts({ source }: RegExp): string[] | null {
  const group = /^(.*?)\((?:\?:)?([^()?]*)\)(.*)$/s.exec(source);
  if (group && !source.includes('\\(')) {
    const [, before = '', inside = '', after = ''] = group;
    return inside
      .split('|')
      .flatMap((alternative) => plainTexts(new RegExp(`${before}${alternative}${after}`)) ?? []);
  }
  const text = source
    .replaceAll(/\\s[*+]?/g, ' ')
    .replaceAll(' ?:', ':')
    .replaceAll(/(?:\[[^\]]+\]|\\[dDwS])(?:[+*]|\{\d+\})?|\.[+*]\??/g, anything)
    .replaceAll(/\\([.$/()+?*])/g, `${escaped}$1`);
  if (new RegExp(`(?<!${escaped})[()[\\]{}*+?\\\\]`).test(text)) return null;
  return text.replaceAll(escaped, '').split('|');
}

const rowOf = (text: string): string[] =>
  text
    .split(/\s*[:,·]\s+|(?<=[.?])\s+|(?<=\p{L})(?=€)|\s(?=[\d:\uf8ff]+(?:\s|$))|\s*\uf8ff\s*/u)
    .filter(Boolean);

/** A text in another language, with the number of its letters that are words of messages. */
type Found = { sources: string[]; letters: number; isMessage: boolean };
const nothing: Found = { sources: [], letters: 0, isMessage: false };

/** Translates a journey's English text to its form on screens in another language. */
export class Lookups {
  readonly #byWord = new Map<string, Set<Entry>>();
  readonly #found = new Map<string, Found>();

  constructor(pairs: readonly Pair[]) {
    for (const entry of entriesOf(pairs))
      for (const { words } of entry.forms)
        for (const word of keysOf(words.join(' ')))
          this.#byWord.set(word, (this.#byWord.get(word) ?? new Set()).add(entry));
  }

  /** Reads it as the messages that share most with it: "Offer to {name}" rather than "Offer {what}". */
  #asMessage(text: string, edges: Edges, depth = 0): Found {
    const entries = new Set(lowerWords(text).flatMap((word) => [...(this.#byWord.get(word) ?? [])]));
    const readings = [...entries].flatMap(({ forms, translations }) =>
      forms.flatMap((form) => {
        const reading = readAs(form, text, edges);
        return reading ? [{ ...reading, translations }] : [];
      }),
    );
    const letters = Math.max(0, ...readings.map((reading) => reading.letters));
    const best = readings.filter((reading) => reading.letters === letters);
    // A text that is a whole message is not searched in longer ones, since some words are in many.
    const whole = edges.isText ? best.filter((match) => match.whole && match.values.size === 0) : [];
    const sources = (whole.length > 0 ? whole : best).flatMap(({ values, translations }) =>
      translations.map((tokens) => sourceOf(tokens, (name) => this.#asValue(values.get(name), depth + 1))),
    );
    return {
      sources: [...new Set(sources)],
      letters,
      isMessage: best.some((match) => match.values.size === 0),
    };
  }

  #asValue(value: string | undefined, depth: number): string {
    if (value && /^[€$£]$/.test(value)) return `[^\\p{L}]*${literal(value)}[^\\p{L}]*`;
    if (value === undefined || !/[\p{L}\p{N}]/u.test(value)) return '.+?';
    if (value.endsWith(anything)) return `${this.#asValue(value.slice(0, -1), depth)}.*?`;
    if (value.includes(anything)) return '.+?';
    if (/\d/.test(value)) return sameDigits(value);
    const whole = { begins: true, ends: true, ignoreCase: true, isText: true };
    const { sources } = depth < 3 ? this.#asMessage(value, whole, depth) : nothing;
    return `${isolates}(?:${[...sources, literal(value)].join('|')})${isolates}`;
  }

  /** Reads it as several texts in a row: a label and its value, or a name with details. */
  #asRow(text: string, edges: Edges, written: (part: string) => boolean): Found {
    const parts = rowOf(text);
    if (parts.length === 1) return nothing;
    const open = text.includes(anything);
    const matches = parts.map((part, at) => {
      const begins = at === 0 ? edges.begins : !open;
      const isAtEnd = at === parts.length - 1 ? edges.ends : !open;
      return this.#asMessage(part.replace(/[.,:]$/, ''), { ...edges, begins, ends: isAtEnd });
    });
    if (matches.every(({ sources }) => sources.length === 0)) return nothing;
    const source = parts
      .map((part, at) => {
        const own = matches[at]?.sources ?? [];
        if (own.length === 0) return this.#asValue(part, 3);
        return `(?:${[...own, ...(written(part) ? [literal(part)] : [])].join('|')})`;
      })
      .join(open ? '.*?' : '[^\\p{L}\\p{N}]{0,20}');
    const isKnown = parts.every((part, at) => lettersIn(part) === 0 || matches[at]?.sources.length);
    const isSure = parts.every(
      (part, at) => lettersIn(part) === 0 || matches[at]?.sources.length || written(part),
    );
    const sure = isSure && matches[0]?.isMessage ? matches[0].letters : 0;
    const matchedLetters = matches.reduce((sum, { letters }) => sum + letters, 0);
    return { sources: [source], letters: isKnown ? matchedLetters : sure, isMessage: false };
  }

  #find(text: string, edges: Edges, written: (text: string) => boolean): Found {
    const key = JSON.stringify([text, edges, rowOf(text).map(written)]);
    let cached = this.#found.get(key);
    if (!cached) {
      const message = this.#asMessage(text, edges);
      const row = this.#asRow(text, edges, written);
      cached = row.letters > message.letters || message.sources.length === 0 ? row : message;
      // An amount or a time; a number alone is the same in all languages.
      if (cached.sources.length === 0 && /\d/.test(text) && /\D/.test(text) && lettersIn(text) < 3)
        cached = { sources: [sameDigits(text)], letters: 0, isMessage: true };
      this.#found.set(key, cached);
    }
    return cached;
  }

  /** An expression for a text, or null if no message has it. A text of several messages matches any of them. */
  find(sought: string | RegExp, exact: boolean, written: (text: string) => boolean): RegExp | null {
    const isText = typeof sought === 'string';
    const ignoreCase = isText ? !exact : sought.flags.includes('i');
    let translated = false;
    const sources = (isText ? [sought] : (plainTexts(sought) ?? [])).map((candidate) => {
      const begins = isText ? exact : candidate.startsWith('^');
      const isAtEnd = isText ? exact : candidate.endsWith('$');
      const text = (isText ? candidate : candidate.replace(/^\^|\$$/g, ''))
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/[,:]$/, '');
      const match = this.#find(text, { begins, ends: isAtEnd, ignoreCase, isText }, written);
      // User input may match the pattern of a message by chance, such as "{name} and {name}".
      const own = match.isMessage || !written(text) ? match.sources : [];
      translated ||= own.length > 0;
      const asItIs = own.length === 0 || written(text) ? [literal(text).replaceAll(anything, '.*?')] : [];
      // Paragraphs have no space between them: `€95Returned`. A short translation may be part of other words.
      const isSentence = own.length > 0 && own.every((source) => source.split('\\s+').length > 2);
      const apart = (edge: string) => (isSentence ? '' : edge);
      const before = begins ? '^\\s*' : `${apart('(?<!\\p{L})')}${noDigitCut}`;
      const after = isAtEnd
        ? '\\s*$'
        : `${/^[^\p{L}]*\d$/u.test(text) ? '' : apart('(?!\\p{L})')}${noDigitCut}`;
      return `${before}(?:${[...own, ...asItIs].join('|')})${after}`;
    });
    return translated ? new RegExp(sources.join('|'), ignoreCase ? 'isu' : 'su') : null;
  }
}
