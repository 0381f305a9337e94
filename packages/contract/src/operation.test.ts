import { describe, expect, it } from 'vitest';
import { line, prose } from './operation.ts';

describe('a line of text', () => {
  it.each(['Leila Haddad', 'ليلى حداد', 'לילה', '李小龍', 'Zoë 🙂', '🧑‍🍳', 'C++ & Co.', '  trimmed  '])(
    'accepts %s',
    (text) => {
      expect(line(80).parse(text)).toBe(text.trim());
    },
  );

  it.each([
    ['a space without width', 'Nad\u200Bia', 'Nadia'],
    ['a joiner between letters that never join', 'Nad\u200Dia \u200CZ', 'Nadia Z'],
    ['a soft hyphen and a mark of byte order', '\uFEFFNa\u00ADdia', 'Nadia'],
    ['tags', 'Nadia\u{E0041}\u{E007F}', 'Nadia'],
  ])('strips %s', (_name, text, expected) => {
    expect(line(80).parse(text)).toBe(expected);
  });

  it.each([
    ['a joiner in Persian', 'می\u200Cخواهم'],
    ['a joiner in Hindi', 'क\u094D\u200Dष'],
    ['a family', '👩\u200D👩\u200D👧'],
    ['Arabic with its vowels', 'مُحَمَّدٌ رَسُولُ'],
    ['a shadda with a vowel and a small alif', 'ٱللَّـٰهِ'],
    ['Hebrew with points and accents', 'בְּרֵאשִׁ֖ית שָּׁ֑'],
    ['Vietnamese in parts', 'Nguye\u0302\u0303n Thi\u0323 Hu\u0309'],
    ['Thai', 'น้ำปู่ที่นี้'],
    ['Hindi', 'शर्मिष्ठा र्त्स्न्यँ'],
    ['a key of emoji', '1\uFE0F\u20E3'],
    ['the flag of Wales', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}'],
  ])('keeps %s', (_name, text) => {
    expect(line(80).parse(text)).toBe(text);
  });

  it('takes linear time for hostile input', () => {
    const start = performance.now();
    for (const piece of [
      '\u{E0041}',
      '\u{1F3F4}\u{E0041}',
      '\u200D',
      'م\u200D',
      '\u0301\u200Dم',
      'a\u200D',
      ' ',
    ])
      line(80).safeParse(piece.repeat(250_000 / piece.length));
    // A linear pattern takes milliseconds; a quadratic one takes minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a NUL', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['a lone surrogate', 'a\ud800'],
    ['an override of direction', 'abc\u202egnp'],
    ['only what cannot be seen', '\u200b\u200d'],
    ['only a filler', '\u3164'],
    ['only an empty pattern of Braille', '\u2800'],
    ['a separator of lines', 'a\u2028b'],
    ['marks that pile up', `Z${'\u0335'.repeat(5)}algo`],
    ['marks that pile up from many blocks', 'Z\u0301\u0489\u20DD\u1AB0\uFE20'],
    ['marks that pile up around joiners', 'م\u064B\u200D\u064C\u200C\u200D\u064D\u064E\u064F'],
    ['too much', 'x'.repeat(81)],
  ])('rejects %s', (_name, text) => {
    expect(line(80).safeParse(text).success).toBe(false);
  });
});

describe('prose', () => {
  it('accepts several lines and rejects control characters', () => {
    expect(prose(80).parse('one\n\ttwo')).toBe('one\n\ttwo');
    expect(prose(80).safeParse('a\u0007').success).toBe(false);
  });
});
