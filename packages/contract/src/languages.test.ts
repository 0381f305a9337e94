import { expect, it } from 'vitest';
import { directionOf, languageIn, languageNames, languageOfHeader, languages } from './languages.ts';

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
