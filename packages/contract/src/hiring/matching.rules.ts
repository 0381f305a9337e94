import { ratingOf, type StarCounts } from '../people/rating.rules.ts';
import type { MatchKind } from './matching.ts';

/** The points of each part of a match score (ADR 34), highest first; 100 in all. */
export const matchPoints = {
  skills: 35,
  distance: 20,
  availability: 15,
  reliability: 15,
  history: 10,
  rating: 5,
} as const satisfies Record<MatchKind, number>;

/** Between which values the parts of a match score rise. */
export const matchLimits = {
  /** Full points for distance up to here, none from `farM` on. */
  nearM: 2_000,
  farM: 30_000,
  /** Years of a skill that count in full. */
  fullYears: 5,
  /** Percent of kept work that a newcomer counts with: trust is lost, not earned first. */
  newReliability: 90,
  /** Percent of kept work that scores nothing. */
  minReliability: 50,
} as const;

/**
 * How reviews become points (ADR 34): an average with `weight` assumed reviews of `assumedTenths` added to those given, so that a few reviews move it
 * little. It scores nothing at `minTenths` and in full at `maxTenths`, in tenths of a star.
 */
export const ratingScore = { assumedTenths: 45, weight: 5, minTenths: 30, maxTenths: 50 } as const;

/**
 * The share of the points for reviews, from 0 to 1. Below the three reviews that an average needs, and for nobody's fault, that of the assumed reviews alone.
 * The formula is the Bayesian average, (C * m + sum) / (C + n): https://en.wikipedia.org/wiki/Bayesian_average
 */
export function ratingShare(counts: StarCounts): number {
  const { assumedTenths, weight, minTenths, maxTenths } = ratingScore;
  const usedCounts = ratingOf(counts).averageTenths === null ? [] : counts;
  const number = usedCounts.reduce((sum, times) => sum + times, 0);
  const tenths = usedCounts.reduce((sum, times, index) => sum + times * (index + 1) * 10, 0);
  const average = (weight * assumedTenths + tenths) / (weight + number);
  return Math.min(Math.max((average - minTenths) / (maxTenths - minTenths), 0), 1);
}
