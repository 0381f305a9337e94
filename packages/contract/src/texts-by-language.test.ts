import { expect, it } from 'vitest';
import { textFor, textInLanguages } from './texts-by-language.ts';

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
