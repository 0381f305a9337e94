import { describe, expect, it } from 'vitest';
import { scaleTop } from './plots.tsx';

describe('the top of a scale', () => {
  it('is a round figure at or above the highest value', () => {
    expect([0, 1, 3, 12, 99, 100, 101, 2_600].map(scaleTop)).toEqual([1, 1, 5, 20, 100, 100, 200, 5_000]);
  });
});
