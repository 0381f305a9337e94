import { sumOf } from '../arithmetic.ts';
import { ratingOf, type StarCounts } from '../people/rating.rules.ts';
import type { MatchKind } from './matching.ts';

/** The job's skills that the worker's profile lacks. An instant hire needs all of them. */
export const lackedSkills = <Skill extends string>(
  jobSkills: readonly Skill[],
  workerSkills: readonly string[],
): Skill[] => jobSkills.filter((skill) => !workerSkills.includes(skill));

/** The points of each part of a match score (ADR 34), highest first; 100 in all. */
export const matchPoints = {
  skills: 35,
  distance: 20,
  availability: 15,
  reliability: 15,
  history: 10,
  rating: 5,
} as const satisfies Record<MatchKind, number>;

export const matchLimits = {
  /** Full points for distance up to here, none beyond `farM`. */
  nearM: 2_000,
  farM: 30_000,
  /** Years of a skill that count in full. */
  fullYears: 5,
  /** A newcomer's percentage of kept work: trust is lost, not earned first. */
  newReliability: 90,
  /** The percentage of kept work that scores nothing. */
  minReliability: 50,
} as const;

/** Prior of the Bayesian average: `weight` reviews of `assumedTenths`, in tenths of a star (ADR 34). */
export const ratingScore = { assumedTenths: 45, weight: 5, minTenths: 30, maxTenths: 50 } as const;

/** The share of the points, from 0 to 1, as a Bayesian average: https://en.wikipedia.org/wiki/Bayesian_average */
export function ratingShare(counts: StarCounts): number {
  const { assumedTenths, weight, minTenths, maxTenths } = ratingScore;
  const usedCounts = ratingOf(counts).averageTenths === null ? [] : counts;
  const number = sumOf(usedCounts);
  const tenths = usedCounts.reduce((sum, times, index) => sum + times * (index + 1) * 10, 0);
  const average = (weight * assumedTenths + tenths) / (weight + number);
  return Math.min(Math.max((average - minTenths) / (maxTenths - minTenths), 0), 1);
}
