import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '@nearhand/contract/languages';
import { textsOf } from './catalogue.ts';

/** An English text and its translation, as messages with placeholders. */
export type Pair = readonly [english: string, translation: string];

const withoutTags = (message: string) =>
  message
    .replaceAll(/<\w+\/>/g, ' ')
    .replaceAll(/<\/?\w+>/g, '')
    .trim();
/** The text between a message's tags, such as the words of a link, by tag. */
const tagged = (message: string): [tag: string, inside: string][] =>
  [...message.matchAll(/<(\w+)>(.*?)<\/\1>/gsu)].map(([, tag = '', inside = '']) => [tag, inside]);

function* partsOf(english: string, translation: string): Generator<Pair> {
  yield [withoutTags(english), withoutTags(translation)];
  const translatedTags = new Map(tagged(translation));
  for (const [tag, inside] of tagged(english)) {
    const translatedInside = translatedTags.get(tag);
    if (translatedInside !== undefined) yield* partsOf(inside, translatedInside);
  }
}

const help = path.resolve(import.meta.dirname, '../../apps/web/help');

function helpTitles(language: Language): Pair[] {
  const title = (folder: string, file: string) =>
    /^title: (.*)$/m.exec(readFileSync(path.join(help, folder, file), 'utf8'))?.[1] ?? '';
  return readdirSync(path.join(help, 'en'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => [title('en', file), title(language, file)]);
}

export function pairsIn(language: Language): Pair[] {
  const messages = textsOf(language).map(
    ([english, { translation }]): Pair => [english, translation || english],
  );
  return [...messages, ...helpTitles(language)].flatMap(([english, translation]) => [
    ...partsOf(english, translation),
  ]);
}
