import { sumOf } from '../arithmetic.ts';
export const ratingLimits = { starsMin: 1, starsMax: 5, averageRatingsMin: 3 } as const;

/** The numbers of published reviews with one star, two stars, and so on. */
export type StarCounts = readonly number[];

/** A summary of published reviews. There is no average of fewer than three, which would be chance. */
export type Rating = {
  count: number;
  /** The average in tenths of a star: 48 is 4.8. */
  averageTenths: number | null;
};

/**
 * Average in tenths of a star. Null below `averageRatingsMin` ratings, so that one person's rating can't be
 * read off.
 */
export function ratingOf(counts: StarCounts): Rating {
  const count = sumOf(counts);
  const stars = counts.reduce((sum, number, index) => sum + number * (index + 1), 0);
  const tenths = 10;
  return {
    count,
    averageTenths: count < ratingLimits.averageRatingsMin ? null : Math.round((stars * tenths) / count),
  };
}
