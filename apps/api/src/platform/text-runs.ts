/** A stretch of text in one font. Runs are drawn from left to right in order. */
export type Run = { font: number; text: string };

const rtl = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const turned = new RegExp(`[${rtl}](?:[^\\p{L}]*[${rtl}\\p{M}])*`, 'gu');
const isTurned = new RegExp(`[${rtl}]`, 'u');
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Invisible characters that fonts draw as a box: joiners, direction marks, controls, variation selectors.
const unseen = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** Drawn where no font has a glyph, to show that something is missing. */
export const unknownSign = '□';

/**
 * Splits one line of text into runs of the first font that has all its glyphs; the last font has the box for missing ones. Right-to-left
 * words are put in visual order; the letters within a word are left to the font.
 * @param has for each font, whether it has a glyph for a code point
 */
export function runsOf(text: string, has: readonly ((codePoint: number) => boolean)[]): Run[] {
  const runs: Run[] = [];
  const line = text.toWellFormed().replace(/\s+/gu, ' ');
  const plain = line.replace(unseen, '');
  // Nearly all text: one font has every glyph, and each glyph is one code point.
  if (/^[\x20-\u02FF\u2000-\u22FF]*$/.test(plain) && [...plain].every((sign) => has[0]?.(sign.charCodeAt(0))))
    return [{ font: 0, text: plain }];
  for (const { segment: whole } of graphemes.segment(seenOrder(line))) {
    // Without its joiners, but still one glyph: an emoji sequence is one box.
    const segment = whole.replace(unseen, '');
    if (segment === '') continue;
    const points = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
    const found = has.findIndex((hasSign) => points.every(hasSign));
    const sign = found === -1 ? unknownSign : segment;
    const font = found === -1 ? has.length - 1 : found;
    const last = runs.at(-1);
    // A right-to-left word is a run of its own, or its neighbours would be reversed with it.
    if (last?.font === font && !isTurned.test(last.text + sign)) last.text += sign;
    else if (last?.font === font && isTurned.test(last.text) && sign !== ' ' && !last.text.endsWith(' '))
      last.text += sign;
    else runs.push({ font, text: sign });
  }
  return runs;
}

const seenOrder = (line: string): string =>
  line.replace(turned, (stretch) => stretch.split(' ').reverse().join(' '));
