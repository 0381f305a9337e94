/** Letters without a Unicode decomposition. */
const single: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  '’': "'",
  '‘': "'",
  ʻ: "'",
  '`': "'",
  '-': ' ',
  '–': ' ',
  '/': ' ',
  // Arabic letters that are typed in several ways; a hamza is a mark.
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
};
const singlePattern = new RegExp(
  `[${Object.keys(single).join('').replace('-', '\\-').replace('/', '\\/')}]`,
  'g',
);

/** Folds text for comparison: lower case, no diacritics, hyphens as spaces. Line breaks stay. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(singlePattern, (letter) => single[letter] ?? letter);
}
