import { expect, it } from 'vitest';
import {
  directionOf,
  languageIn,
  languageNames,
  languageOfHeader,
  languages,
  textFor,
  textInLanguages,
} from './languages.ts';

it.each([
  [['de-AT', 'en'], 'de'],
  [['pl', 'fr-CA', 'en'], 'fr'],
  [['AR-eg'], 'ar'],
  [['pl', 'sv'], null],
  [[], null],
])('picks from %j', (tags, expected) => expect(languageIn(tags)).toBe(expected));

it.each([
  ['nl-BE,nl;q=0.9,en;q=0.8', 'nl'],
  ['en;q=0.4, es;q=0.9', 'es'],
  ['nl;q=0, de;q=0.1', 'de'],
  ['*', null],
  ['', null],
  [undefined, null],
  [`${'x,'.repeat(10_000)}de`, null],
  ['de;q=high', null],
])('reads the header %s', (header, expected) => expect(languageOfHeader(header)).toBe(expected));

it('names each language, and writes Arabic from right to left', () => {
  expect(Object.keys(languageNames)).toEqual([...languages]);
  expect(languages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
});

it('gives each reader their part of a text in several languages, and everyone what is before it', () => {
  const [nl, en] = ['Dag.\n\nEr is niet ingecheckt.', 'There is no check-in.'];
  const both = textInLanguages([
    ['nl', nl],
    ['en', en],
  ]);
  expect(textFor(both, 'nl')).toBe(nl);
  expect([textFor(both, 'en'), textFor(both, 'fr')]).toEqual([en, en]);
  expect(textFor(`${both}\n\n[Nederlands]\nMeer.`, 'nl')).toBe(`${nl}\n\nMeer.`);
  expect(textFor(`No. 12\n\n${both}`, 'en')).toBe(`No. 12\n\n${en}`);
  expect(textFor('[العربية]\nمرحبًا', 'de')).toBe('مرحبًا');
  expect([textInLanguages([['nl', nl]]), textInLanguages([])]).toEqual([nl, '']);
  for (const text of ['', 'Plain.', '[Deutsch', 'a [English] b']) expect(textFor(text, 'nl')).toBe(text);
});
