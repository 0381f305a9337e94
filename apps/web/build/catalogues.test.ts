import { type Language, languages } from '@nearhand/contract/languages';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from './read-catalogue.ts';
import { faultOf } from './translation.rules.ts';
import { leftInEnglish, sameInBoth } from './untranslated-allowlist.ts';

const root = `${import.meta.dirname}/../../..`;
const translations = languages.filter((language) => language !== 'en');
const folders = { web: `${root}/apps/web/src/locales`, server: `${root}/apps/api/locales` };
const read = (folder: string, language: Language): Map<string, string> =>
  new Map(
    Object.entries(readCatalogue(folder, language)).map(([id, { translation = '' }]) => [id, translation]),
  );

describe.each(Object.entries(folders))('the catalogues of the %s', (_name, folder) => {
  const source = read(folder, 'en');

  it('have texts', () => expect(source.size).toBeGreaterThan(500));

  it.each(translations)(
    'are complete in %s, with the placeholders, tags and plurals of English',
    (language) => {
      const translated = read(folder, language);
      const faults = [...source].flatMap(([id, text]) => {
        const fault = faultOf(language, text, translated.get(id) ?? '');
        return fault === null ? [] : [`"${text}" ${fault}: "${translated.get(id) ?? ''}"`];
      });
      expect(faults.slice(0, 20)).toEqual([]);
    },
  );

  it.each(translations)('contain no English in %s', (language) => {
    expect(leftInEnglish(source, read(folder, language), sameInBoth[language])).toEqual([]);
  });

  it('spell out metres in Arabic, where their letter means the afternoon', () => {
    const ambiguous = [...read(folder, 'ar').values()].filter((text) => /[\d}] م(?![\p{L}.])/u.test(text));
    expect(ambiguous).toEqual([]);
  });
});

describe('the check of a translation can fail', () => {
  const source = '{count, plural, one {# job near <0>{place}</0>} other {# jobs near <0>{place}</0>}}';
  it.each([
    ['', 'is missing'],
    ['{count, plural, one {# job bij <0>{place}</0>} other {# jobs bij <0>hier</0>}}', null],
    ['{count} jobs bij <0>{place}</0>', 'has lost the plural of {count}'],
    ['{count, plural, other {# jobs bij <0>{place}</0>}}', 'lacks one of {count}'],
    ['{count, plural, one {# job bij {place}} other {# jobs bij {place}}}', 'has other tags'],
    [
      '{count, plural, one {# job} other {# jobs}} <0></0>',
      'has the placeholders {count} instead of {count, place}',
    ],
    [
      "{count, plural, one {# job d'<0>{place}</0>} other {# jobs d'<0>{place}</0>}}",
      'has a straight apostrophe',
    ],
  ])('of "%s"', (translation, fault) => expect(faultOf('nl', source, translation)).toBe(fault));

  it('requires the six Arabic forms except zero', () =>
    expect(faultOf('ar', '{n, plural, one {#} other {#}}', '{n, plural, one {#} other {#}}')).toBe(
      'lacks two, few, many of {n}',
    ));
});

describe('the list of messages that are the same in English', () => {
  const all = Object.values(folders);
  const same = (language: Language) =>
    all.flatMap((folder) => leftInEnglish(read(folder, 'en'), read(folder, language), []));

  it.each(translations)('contains nothing translated or deleted for %s', (language) => {
    const found = new Set(same(language));
    expect(sameInBoth[language].filter((text) => !found.has(text))).toEqual([]);
  });

  it.each([
    ['Apply now', ['Apply now']],
    ['Apply', ['Apply']],
    ['{count, plural, one {# job} other {# jobs}}', ['{count, plural, one {# job} other {# jobs}}']],
    ['<0>{count}</0> left', ['<0>{count}</0> left']],
    ['Team', []],
    ['{count} · <0>{name}</0>', []],
  ])("fails for one that it doesn't contain: %s", (text, found) => {
    const one = new Map([['id', text]]);
    expect(leftInEnglish(one, one, ['Team'])).toEqual(found);
    expect(leftInEnglish(one, new Map([['id', `${text}!`]]), [])).toEqual([]);
  });
});
