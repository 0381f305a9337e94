import { metresBetween } from '../people/great-circle.ts';
import type { Point } from '../people/places.ts';

/** About a kilometre from south to north. */
const cellDegrees = 0.009;
const stepM = 500;

/** An upper bound of the difference between a rough and an exact distance, in metres. */
export const roughErrorM = 1_000;

const middleOf = (degrees: number, cell: number) => (Math.floor(degrees / cell) + 0.5) * cell;

/** The middle of the fixed square kilometre that contains a home: all homes in it are indistinguishable. */
export function homeCell(home: Point): Point {
  const lat = middleOf(home.lat, cellDegrees);
  // A degree of longitude shrinks towards the poles; all homes in one row share its width.
  const width = cellDegrees / Math.max(Math.cos((lat * Math.PI) / 180), 0.01);
  return { lat, lng: middleOf(home.lng, width) };
}

/** Metres from a home's square, in steps of 500: exact distances would reveal the address to a recruiter. */
export const roughDistanceM = (home: Point, job: Point): number =>
  Math.round(metresBetween(homeCell(home), job) / stepM) * stepM;
