import { expect, it } from 'vitest';
import { changedKeys, mergeEdits } from './merge-edits.ts';

it("keeps local edits and adopts the other side's", () => {
  const base = { name: 'Kopi', phone: '1', tags: ['a'] };
  const typed = { name: 'Kopi & Crumb', phone: '1', tags: ['a', 'b'] };
  const newest = { name: 'Kopi', phone: '2', tags: ['c'] };
  expect(mergeEdits(base, typed, newest)).toEqual({
    merged: { name: 'Kopi & Crumb', phone: '2', tags: ['a', 'b'] },
    theirs: ['phone'],
    both: ['tags'],
  });
});

it("doesn't treat the same change twice as a conflict", () => {
  expect(mergeEdits({ name: 'a' }, { name: 'b' }, { name: 'b' })).toEqual({
    merged: { name: 'b' },
    theirs: [],
    both: [],
  });
  expect(changedKeys({ a: 1, b: [1] }, { a: 1, b: [2] })).toEqual(['b']);
});
