/** A part of a text, and whether it matches the search. */
export type Piece = { text: string; hit: boolean };

const meaning = /[\\^$.*+?()[\]{}|]/g;

/** Characters before the match, so that it is visible in one line on a phone. */
const leadIn = 18;

/** A text split at search matches, ignoring case, as the server matches. */
export function markedPieces(text: string, sought: string): Piece[] {
  if (sought === '') return [{ text, hit: false }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(new RegExp(sought.replace(meaning, '\\$&'), 'giu'))) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), hit: false });
    pieces.push({ text: found[0], hit: true });
    at = found.index + found[0].length;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}

/** The same for one line: it begins shortly before the first match, at a word. */
export function excerptPieces(text: string, sought: string): Piece[] {
  const pieces = markedPieces(text.replace(/\s+/g, ' ').trim(), sought);
  const [first, ...rest] = pieces;
  if (!first || first.hit || rest.length === 0) return pieces;
  const signs = [...first.text];
  if (signs.length <= leadIn) return pieces;
  const tail = signs.slice(-leadIn).join('');
  const word = tail.indexOf(' ');
  return [{ text: `…${word === -1 ? tail : tail.slice(word + 1)}`, hit: false }, ...rest];
}
