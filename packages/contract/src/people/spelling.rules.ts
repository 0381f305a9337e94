/** Shorter words have too many neighbours. */
export const respelledMin = 4;
const twoErrorsFrom = 8;

/** Typing errors forgiven in a word of this length: 0, 1 or 2. */
export const errorsForgiven = (word: string): number => {
  if (word.length < respelledMin) return 0;
  return word.length < twoErrorsFrom ? 1 : 2;
};

/**
 * The number of edits between a word and another or its nearest prefix. Called for every place name, so it
 * reuses its rows.
 */
export function editsBetween(word: string, target: string, max: number, { start = false } = {}): number {
  const width = start ? Math.min(target.length, word.length + max) : target.length;
  if (word.length - width > max || width - word.length > max) return max + 1;
  let older = rowOf(0, width);
  let before = rowOf(1, width);
  let now = rowOf(2, width);
  for (let at = 0; at <= width; at += 1) before[at] = at;
  for (let row = 1; row <= word.length; row += 1) {
    const first = Math.max(1, row - max);
    const last = Math.min(width, row + max);
    now.fill(max + 1);
    now[0] = row;
    let min = first === 1 ? row : max + 1;
    for (let at = first; at <= last; at += 1) {
      let edits = cell(before, at - 1) + (word[row - 1] === target[at - 1] ? 0 : 1);
      if (cell(before, at) + 1 < edits) edits = cell(before, at) + 1;
      if (cell(now, at - 1) + 1 < edits) edits = cell(now, at - 1) + 1;
      if (row > 1 && at > 1 && word[row - 1] === target[at - 2] && word[row - 2] === target[at - 1])
        edits = Math.min(edits, cell(older, at - 2) + 1);
      now[at] = edits;
      if (edits < min) min = edits;
    }
    if (min > max) return max + 1;
    [older, before, now] = [before, now, older];
  }
  if (!start) return Math.min(max + 1, cell(before, width));
  let min = max + 1;
  for (let at = Math.max(0, word.length - max); at <= width; at += 1) min = Math.min(min, cell(before, at));
  return min;
}

const rows: Uint8Array[] = [];
const cell = (row: Uint8Array, at: number): number => row[at] ?? 255;
function rowOf(index: number, width: number): Uint8Array {
  const row = rows[index];
  if (row && row.length > width) return row;
  const larger = new Uint8Array(Math.max(64, width + 1));
  rows[index] = larger;
  return larger;
}
