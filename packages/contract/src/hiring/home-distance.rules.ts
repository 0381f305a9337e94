import { metresBetween } from '../people/great-circle.ts';
import type { Point } from '../people/places.ts';

/** About a kilometre from south to north. */
const cellDegrees = 0.009;
const stepM = 500;

const middleOf = (degrees: number, cell: number) => (Math.floor(degrees / cell) + 0.5) * cell;

/**
 * The middle of the square kilometre, roughly, that contains a home. The squares are fixed, so all homes in
 * one are indistinguishable.
 */
export function homeCell(home: Point): Point {
  const lat = middleOf(home.lat, cellDegrees);
  // A degree of longitude shrinks towards the poles; all homes in one row share its width.
  const width = cellDegrees / Math.max(Math.cos((lat * Math.PI) / 180), 0.01);
  return { lat, lng: middleOf(home.lng, width) };
}

/**
 * Metres from a home to a job for the business, in steps of 500. Measured from the middle of the home's
 * square: a recruiter can move the job, and rounded exact distances from several places would reveal the
 * address.
 */
export const roughDistanceM = (home: Point, job: Point): number =>
  Math.round(metresBetween(homeCell(home), job) / stepM) * stepM;
