import { describe, expect, it } from 'vitest';
import { cardAfter, type Step } from './board.tsx';

const lanes = [['a', 'b', 'c'], [], ['d'], ['e', 'f']].map((ids) => ids.map((id) => ({ id })));

describe('a step on the board', () => {
  it.each<[string | null, Step, string | undefined]>([
    ['a', 'next', 'b'],
    ['c', 'next', undefined],
    ['b', 'previous', 'a'],
    ['a', 'previous', undefined],
    ['b', 'next-lane', 'd'],
    ['d', 'next-lane', 'e'],
    ['f', 'previous-lane', 'd'],
    ['d', 'previous-lane', 'a'],
    ['f', 'next-lane', undefined],
    ['a', 'previous-lane', undefined],
    [null, 'next', 'a'],
    ['gone', 'previous-lane', 'a'],
  ])('from %s, %s leads to %s', (from, step, to) => expect(cardAfter(lanes, from, step)).toBe(to));

  it('does nothing in an empty lane', () => expect(cardAfter([[], []], null, 'next')).toBeUndefined());
});
