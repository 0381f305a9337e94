import { describe, expect, it } from 'vitest';
import { editsBetween, errorsForgiven } from './spelling.rules.ts';

describe('editsBetween', () => {
  it('counts edits, a swap as one, and stops at the limit', () => {
    const edits = (word: string, other: string) => editsBetween(word, other, 2);
    expect([
      edits('barista', 'barista'),
      edits('barrista', 'barista'),
      edits('baritsa', 'barista'),
      edits('brista', 'barista'),
      edits('barosto', 'barista'),
      edits('waiter', 'barista'),
      edits('abcd', 'abcdefgh'),
    ]).toEqual([0, 1, 1, 1, 2, 3, 3]);
  });

  it('matches the plain calculation for random words', () => {
    const letters = 'abc';
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const word = () => Array.from({ length: next(9) }, () => letters[next(3)]).join('');
    for (let round = 0; round < 3_000; round += 1) {
      const text = word();
      const secondWord = word();
      const max = next(4);
      expect(editsBetween(text, secondWord, max), `${text} ${secondWord}`).toBe(
        Math.min(max + 1, plainEdits(text, secondWord)),
      );
      const starts = Array.from({ length: secondWord.length + 1 }, (_, end) =>
        plainEdits(text, secondWord.slice(0, end)),
      );
      expect(editsBetween(text, secondWord, max, { start: true })).toBe(Math.min(max + 1, ...starts));
    }
  });

  it('allows no error in short words, one in usual ones, two in long ones', () => {
    expect(['bar', 'cook', 'plumber', 'electric'].map(errorsForgiven)).toEqual([0, 1, 1, 2]);
  });
});

function plainEdits(word: string, other: string): number {
  const table = Array.from({ length: word.length + 1 }, (_, row) => [row]);
  for (let at = 0; at <= other.length; at += 1) (table[0] as number[])[at] = at;
  const of = (row: number, at: number) => table[row]?.[at] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= word.length; row += 1)
    for (let at = 1; at <= other.length; at += 1) {
      const swap = row > 1 && at > 1 && word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1];
      (table[row] as number[])[at] = Math.min(
        of(row - 1, at) + 1,
        of(row, at - 1) + 1,
        of(row - 1, at - 1) + (word[row - 1] === other[at - 1] ? 0 : 1),
        swap ? of(row - 2, at - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return of(word.length, other.length);
}
