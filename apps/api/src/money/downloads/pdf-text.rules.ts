/** A stretch of text in one font. Runs are drawn from left to right in their order. */
export type Run = { font: number; text: string };

const rtl = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const turned = new RegExp(`[${rtl}](?:[^\\p{L}]*[${rtl}\\p{M}])*`, 'gu');
const isTurned = new RegExp(`[${rtl}]`, 'u');
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Nothing to see by themselves, and fonts draw a box for them: joiners, marks of direction, controls, the choice between a sign and its picture.
const unseen = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** Drawn for what no font has a sign for, so that it is seen that something stands there. */
export const unknownSign = '□';

/**
 * Cuts one line of text into runs of the first font that has all signs of it; the last of the fonts has the box that stands for what none has. Words of a stretch that
 * runs from right to left are put in the order in which they are seen from left to right; the letters within a word are the font's business.
 * @param has for each font, whether it has a sign for a code point
 */
export function runsOf(text: string, has: readonly ((codePoint: number) => boolean)[]): Run[] {
  const runs: Run[] = [];
  const line = text.toWellFormed().replace(/\s+/gu, ' ');
  const plain = line.replace(unseen, '');
  // Nearly all text: one font has every sign of it, and each sign is one code point.
  if (/^[\x20-\u02FF\u2000-\u22FF]*$/.test(plain) && [...plain].every((sign) => has[0]?.(sign.charCodeAt(0))))
    return [{ font: 0, text: plain }];
  for (const { segment: whole } of graphemes.segment(seenOrder(line))) {
    // Without its joiners, but one sign still: a picture of several is one box.
    const segment = whole.replace(unseen, '');
    if (segment === '') continue;
    const points = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
    const found = has.findIndex((hasSign) => points.every(hasSign));
    const sign = found === -1 ? unknownSign : segment;
    const font = found === -1 ? has.length - 1 : found;
    const last = runs.at(-1);
    // A word that runs from right to left is a run of its own, or its neighbours would be turned with it.
    if (last?.font === font && !isTurned.test(last.text + sign)) last.text += sign;
    else if (last?.font === font && isTurned.test(last.text) && sign !== ' ' && !last.text.endsWith(' '))
      last.text += sign;
    else runs.push({ font, text: sign });
  }
  return runs;
}

const seenOrder = (line: string): string =>
  line.replace(turned, (stretch) => stretch.split(' ').reverse().join(' '));
