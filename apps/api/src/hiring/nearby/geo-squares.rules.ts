import { earthRadiusM } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';

const degrees = (radians: number) => (radians * 180) / Math.PI;
const radians = (degree: number) => (degree * Math.PI) / 180;

const bandOf = (lat: number) => Math.min(359, Math.floor((lat + 90) * 2));
/** How many pieces a band is cut into, as in the database's `geo_square` (0006_jobs.sql). */
const piecesOf = (band: number) => Math.max(1, Math.round(720 * Math.cos(radians(band / 2 - 89.75))));
const pieceOf = (lng: number, pieces: number) => Math.floor(((lng + 180) / 360) * pieces);

/** The names of the squares that a circle touches, or a few more; across the date line and the poles too. */
export function squaresAround(centre: Point, metres: number): string[] {
  const reach = (metres + 1) / earthRadiusM;
  const south = Math.max(-90, centre.lat - degrees(reach));
  const north = Math.min(90, centre.lat + degrees(reach));
  // A circle around a pole reaches every meridian.
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
