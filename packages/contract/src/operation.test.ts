import { describe, expect, it } from 'vitest';
import { line, prose } from './operation.ts';

describe('a line of text', () => {
  it.each(['Leila Haddad', 'ليلى حداد', 'לילה', '李小龍', 'Zoë 🙂', '🧑‍🍳', 'C++ & Co.', '  trimmed  '])(
    'takes %s',
    (text) => {
      expect(line(80).parse(text)).toBe(text.trim());
    },
  );

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a NUL', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['a lone surrogate', 'a\ud800'],
    ['an override of direction', 'abc\u202egnp'],
    ['only what cannot be seen', '\u200b\u200d'],
    ['too much', 'x'.repeat(81)],
  ])('refuses %s', (_name, text) => {
    expect(line(80).safeParse(text).success).toBe(false);
  });
});

describe('prose', () => {
  it('accepts several lines and refuses control characters', () => {
    expect(prose(80).parse('one\n\ttwo')).toBe('one\n\ttwo');
    expect(prose(80).safeParse('a\u0007').success).toBe(false);
  });
});
