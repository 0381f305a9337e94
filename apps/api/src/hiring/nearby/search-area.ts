import { chordOfMetres, earthRadiusM, onSphere } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { type RawBuilder, sql } from 'kysely';

/** Nearby search and saved searches must find the same jobs (ADR 151). */
export const circleAround = (from: Point, radiusKm: number): SearchArea => ({
  pos: onSphere(from),
  chord: chordOfMetres(radiusKm * 1000),
  // The usual search needs none.
  get squares() {
    return squaresAround(from, radiusKm * 1000);
  },
});

const degrees = (radians: number) => (radians * 180) / Math.PI;
const radians = (degree: number) => (degree * Math.PI) / 180;
/**
 * The grid of `geo_square` (0001_platform.sql): bands of half a degree from the south pole, each cut into pieces about as
 * wide as they are high. A band's middle is `band / 2 - 89.75`.
 */
const bandOf = (lat: number) => Math.min(359, Math.floor((lat + 90) * 2));
const piecesOf = (band: number) => Math.max(1, Math.round(720 * Math.cos(radians(band / 2 - 89.75))));
const pieceOf = (lng: number, pieces: number) => Math.floor(((lng + 180) / 360) * pieces);

/** The squares that a circle touches, or a few more; across the date line and the poles too. */
export function squaresAround(centre: Point, metres: number): string[] {
  const reach = (metres + 1) / earthRadiusM;
  const south = Math.max(-90, centre.lat - degrees(reach));
  const north = Math.min(90, centre.lat + degrees(reach));
  const half =
    south <= -90 || north >= 90 ? 180 : degrees(Math.asin(Math.sin(reach) / Math.cos(radians(centre.lat))));
  const squares: string[] = [];
  for (let band = bandOf(south); band <= bandOf(north); band += 1) {
    const pieces = piecesOf(band);
    const first = pieceOf(centre.lng - half, pieces);
    const count = Math.min(pieces, pieceOf(centre.lng + half, pieces) - first + 1);
    for (let piece = first; piece < first + count; piece += 1)
      squares.push(`${band}.${((piece % pieces) + pieces) % pieces}`);
  }
  return squares;
}

/** The centre of a search as a point on the sphere, and its radius as a chord in metres (ADR 6). */
export type SearchArea = {
  pos: readonly [number, number, number];
  chord: number;
  squares: readonly string[];
};

const pointOf = (area: SearchArea) => sql`${`(${area.pos.join(',')})`}::cube`;
export const chordTo = (area: SearchArea) => sql`(job.pos <-> ${pointOf(area)})`;
export const inCircle = (area: SearchArea) => sql`${chordTo(area)} <= ${area.chord}::float8`;

export const inBox = (area: SearchArea) =>
  sql`job.pos <@ cube_enlarge(${pointOf(area)}, ${area.chord + 0.01}::float8, 3)`;

/** Indexes of sorted jobs begin with the grid square of the place. */
export const squareOf = sql`geo_square(job.public_lat, job.public_lng)`;

/** Indexes of pay, kind and day start with the square, so a filter costs no more than its nearby jobs. */
export const inSquares = ({ squares }: SearchArea): RawBuilder<unknown> =>
  sql`${squareOf} = any(${[...squares]}::text[])`;
