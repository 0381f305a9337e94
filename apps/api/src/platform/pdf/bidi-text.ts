import bidiModule from 'bidi-js';

/** Runs are drawn from left to right in order. */
export type Run = { font: number; text: string };

// The package is the factory itself, but its types declare a default export.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();
const turned = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const movedMarks = /[\p{Script=Devanagari}\p{Script=Thai}]/u;
/** Returns whether a font draws a line's glyphs in another order than the text is read. */
export const isReordered = (line: string): boolean => turned.test(line) || movedMarks.test(line);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Overrides would reverse the words after a name. The rest are invisible characters that fonts draw as a box.
const forced = /[\u202A-\u202E]/gu;
const unseen = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** A purely Latin line, such as an address, keeps its numbers and full stops in place. */
const isLatin = (line: string): boolean =>
  /\p{Script=Latin}/u.test(line) && !turned.test(line) && !/[\u200F\u061C]/u.test(line);

export const unknownSign = '□';

/** Splits a line into runs by font. Words are in visual order (UAX 9); fonts reverse and join letters. */
export function runsOf(
  text: string,
  fonts: readonly ((codePoint: number) => boolean)[],
  direction: 'ltr' | 'rtl' = 'ltr',
): Run[] {
  const line = text.toWellFormed().replace(/\s+/gu, ' ').replace(forced, '');
  const plain = line.replace(unseen, '');
  // Fast path: one font has every glyph, and each glyph is one code point.
  if (
    direction === 'ltr' &&
    /^[\x20-\u02FF\u2000-\u22FF]*$/.test(plain) &&
    [...plain].every((sign) => fonts[0]?.(sign.charCodeAt(0)))
  )
    return [{ font: 0, text: plain }];
  return seenOrder(line, isLatin(line) ? 'ltr' : direction).flatMap((part) => {
    const runs = inFonts(part.text, fonts);
    return part.turned ? runs.reverse() : runs;
  });
}

/** A reversed part is a single word, or its neighbours would be reversed with it. */
type Part = { text: string; turned: boolean; level: number };

function seenOrder(line: string, direction: 'ltr' | 'rtl'): Part[] {
  const { levels } = bidi.getEmbeddingLevels(line, direction);
  const parts: Part[] = [];
  let start = 0;
  for (let at = 1; at <= line.length; at += 1) {
    if (at < line.length && levels[at] === levels[start]) continue;
    parts.push(...wordParts(line.slice(start, at), levels[start] ?? 0));
    start = at;
  }
  // Rule L2: from the highest level down, reverse every stretch of that level or higher.
  const highest = Math.max(0, ...parts.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let from = 0; from < parts.length; from += 1) {
      let to = from;
      while (to < parts.length && (parts[to]?.level ?? 0) >= level) to += 1;
      if (to > from + 1) parts.splice(from, to - from, ...parts.slice(from, to).reverse());
      from = to;
    }
  return parts;
}

/** Splits a right-to-left level into words with mirrored brackets. */
function wordParts(text: string, level: number): Part[] {
  if (level % 2 === 0) return [{ text, turned: false, level }];
  return text
    .split(/( )/)
    .filter((word) => word !== '')
    .map((word) => {
      const mirrored = [...word].map((sign) => bidi.getMirroredCharacter(sign) ?? sign);
      const letters = turned.test(word);
      // Fonts reverse words that contain a letter of a right-to-left script.
      return { text: (letters ? mirrored : mirrored.reverse()).join(''), turned: letters, level };
    });
}

function inFonts(text: string, fonts: readonly ((codePoint: number) => boolean)[]): Run[] {
  const plain = text.replace(unseen, '');
  if (plain === '') return [];
  const fontOfAll = fonts.findIndex((hasSign) =>
    [...plain].every((sign) => hasSign(sign.codePointAt(0) ?? 0)),
  );
  if (fontOfAll !== -1) return [{ font: fontOfAll, text: plain }];
  const runs: Run[] = [];
  for (const { segment: cluster } of graphemes.segment(text)) {
    // The joiners are removed, but it is still one glyph: an emoji sequence is one box.
    const segment = cluster.replace(unseen, '');
    if (segment === '') continue;
    const points = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
    const fontOfAll = fonts.findIndex((hasSign) => points.every(hasSign));
    // No font has the whole sequence: draw its code points one by one, if fonts have them.
    const apart = fontOfAll === -1 ? points.map((point) => fonts.findIndex((hasSign) => hasSign(point))) : [];
    if (fontOfAll !== -1) add(runs, fontOfAll, segment);
    else if (apart.includes(-1)) add(runs, fonts.length - 1, unknownSign);
    else for (const [at, font] of apart.entries()) add(runs, font, [...segment][at] ?? '');
  }
  return runs;
}

function add(runs: Run[], font: number, text: string): void {
  const last = runs.at(-1);
  if (last?.font === font) last.text += text;
  else runs.push({ font, text });
}
