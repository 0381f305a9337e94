import { describe, expect, it } from 'vitest';
import { scaleTop, stripDots } from './plots.tsx';

describe('the top of a scale', () => {
  it('is a round number at or above the highest value', () => {
    expect([0, 1, 3, 12, 99, 100, 101, 2_600].map(scaleTop)).toEqual([1, 1, 5, 20, 100, 100, 200, 5_000]);
  });
});

describe('the dots of a strip', () => {
  it('are placed by duration, with more room for the first hours', () => {
    expect(stripDots([72, 0, 18]).map(({ place }) => place)).toEqual([0, 50, 100]);
  });

  it("don't overlap, and durations above three days are at the end", () => {
    expect(stripDots([100, 300, 72])).toEqual([
      { place: 100, level: 0 },
      { place: 100, level: 1 },
      { place: 100, level: 2 },
    ]);
    expect(stripDots([10, 40]).map(({ level }) => level)).toEqual([0, 0]);
  });

  it('are empty without a filled job', () => {
    expect(stripDots([])).toEqual([]);
  });
});
