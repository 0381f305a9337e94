// PostgreSQL refuses U+0000, browsers draw the rest as boxes; callers handle tabs and line breaks.
const controlCharacters = /[^\P{Cc}\t\n\r]/gu;
const invisible = /[\u200b\u2060\ufeff\u00ad]/g;

/** Removes control and invisible characters from foreign text and folds its white space. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replace(controlCharacters, ' ').replace(invisible, '').replace(/\s+/g, ' ').trim();

/** The same as `oneLine`, but keeps line breaks. */
export const severalLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(controlCharacters, ' ')
    .replace(invisible, '')
    .split('\n')
    .map((part) => part.replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Cuts after a word with an ellipsis, never within a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > max * 0.5 ? cut.slice(0, space) : cut).replace(/[\s,;:/(-]+$/, '')}…`;
}

const namedEntities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  euro: '€',
  pound: '£',
  cent: '¢',
  yen: '¥',
  sect: '§',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  shy: '',
  szlig: 'ß',
  aelig: 'æ',
  AElig: 'Æ',
  oslash: 'ø',
  Oslash: 'Ø',
  aring: 'å',
  Aring: 'Å',
  ccedil: 'ç',
  Ccedil: 'Ç',
  ntilde: 'ñ',
  Ntilde: 'Ñ',
};
const accents: Record<string, string> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
};

function entity(match: string, name: string): string {
  if (name.startsWith('#')) {
    const isHex = name[1] === 'x' || name[1] === 'X';
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : ' ';
  }
  const accent = Object.hasOwn(accents, name.slice(1)) ? accents[name.slice(1)] : undefined;
  if (accent !== undefined) return `${name[0]}${accent}`.normalize('NFC');
  return (Object.hasOwn(namedEntities, name) ? namedEntities[name] : undefined) ?? match;
}

const decodeEntities = (text: string): string =>
  text.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,8});/g, entity);

const looksMarkedUp = (text: string) => /<\/?[a-z][^<>]*>/i.test(text);

function stripTags(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style|template|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<li\b[^<>]*>/gi, '\n• ')
    .replace(/<(?:br|hr)\b[^<>]*>/gi, '\n')
    .replace(/<\/?(?:p|div|h[1-6]|ul|ol|table|section|article|blockquote|header|footer)\b[^<>]*>/gi, '\n\n')
    .replace(/<\/?(?:tr|dt|dd)\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '');
}

/** HTML as plain text; nothing is executed. Decodes double-escaped text, which many feeds contain. */
export function htmlToText(source: string): string {
  let text = source;
  for (let round = 0; round < 2; round += 1) {
    const hasMarkup = looksMarkedUp(text);
    const next = decodeEntities(hasMarkup ? stripTags(text) : text);
    if (next === text) break;
    text = next;
    if (!looksMarkedUp(text)) break;
  }
  return severalLines(text).replaceAll('\n\n• ', '\n• ');
}

const smallWords = new Set(
  'a an and as at but by for from in into nor of on or over per the to up via with'.split(' '),
);
const knownShort = new Set(
  'I II III IV V VI VII VIII IX X IT HR PR QA UX UI CEO CFO CIO COO GIS EMT'.split(' '),
);

function isAbbreviation(word: string, before: string): boolean {
  if (!before.endsWith('(')) return false;
  const initials = (before.match(/\p{L}+/gu) ?? [])
    .filter((word) => !smallWords.has(word.toLowerCase()))
    .map((word) => word.charAt(0))
    .join('');
  return word.length > 1 && initials.endsWith(word);
}

/** Converts `DIRECTOR OF IT (NIGHT)` to `Director of IT (Night)`. Lines with lowercase letters stay. */
export function calmCapitals(text: string, keep: readonly string[] = []): string {
  if (/\p{Ll}/u.test(text)) return text;
  const capitalWords = new Set([...knownShort, ...keep.map((word) => word.toUpperCase())]);
  let first = true;
  return text.replace(/\p{L}[\p{L}\p{N}’']*/gu, (word, at: number) => {
    const opening = first || /[:–—/]\s*$/.test(text.slice(0, at));
    first = false;
    const bare = word.replace(/[’']S$/, '');
    if (capitalWords.has(bare))
      return bare.length < word.length ? `${bare}${word.slice(bare.length).toLowerCase()}` : word;
    if (/\p{N}/u.test(word) || (word.length === 1 && word !== 'A')) return word;
    if (isAbbreviation(word, text.slice(0, at))) return word;
    const small = word.toLowerCase();
    if (!opening && smallWords.has(small)) return small;
    if (word.length > 1 && !/[AEIOUYÀ-Ý]/u.test(word)) return word;
    return small.charAt(0).toUpperCase() + small.slice(1);
  });
}
