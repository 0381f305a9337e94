import { describe, expect, it } from 'vitest';
import { lackedSkills, matchPoints, ratingScore, ratingShare } from './matching.rules.ts';

const only = (stars: number, times: number) => [1, 2, 3, 4, 5].map((star) => (star === stars ? times : 0));
const pointsOf = (counts: readonly number[]) => Math.round(matchPoints.rating * ratingShare(counts));

describe('ratingShare', () => {
  it('is the same without reviews and below three, good or bad', () => {
    const { assumedTenths, minTenths, maxTenths } = ratingScore;
    const newcomer = (assumedTenths - minTenths) / (maxTenths - minTenths);
    for (const counts of [[], only(5, 0), only(5, 2), only(1, 2), [1, 0, 0, 0, 1]])
      expect(ratingShare(counts)).toBe(newcomer);
    expect(pointsOf([])).toBe(4);
  });

  it('rises with every star, stays between 0 and 1, and moves further with more reviews', () => {
    for (const times of [3, 10, 1_000]) {
      const shares = [1, 2, 3, 4, 5].map((stars) => ratingShare(only(stars, times)));
      expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
      for (const share of shares) expect(share >= 0 && share <= 1).toBe(true);
    }
    expect(ratingShare(only(5, 3))).toBeLessThan(ratingShare(only(5, 30)));
    expect(ratingShare(only(3, 3))).toBeGreaterThan(ratingShare(only(3, 30)));
    expect([pointsOf(only(5, 30)), pointsOf(only(4, 10)), pointsOf(only(2, 10))]).toEqual([5, 3, 0]);
  });

  it('makes no difference for an average like the assumed one', () => {
    expect(ratingShare([0, 0, 0, 6, 6])).toBe(ratingShare([]));
  });
});

describe('what a worker lacks for an instant hire', () => {
  it("is each of the job's skills that they don't have", () => {
    expect([
      lackedSkills([], []),
      lackedSkills(['a', 'b'], ['b', 'a', 'c']),
      lackedSkills(['a', 'b'], ['b']),
      lackedSkills(['a'], []),
    ]).toEqual([[], [], ['a'], ['a']]);
  });
});
