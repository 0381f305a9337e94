import type { Point } from '@nearhand/contract/places';

const earthM = 6_371_008.8;
const radians = Math.PI / 180;

/** Great-circle metres between two points. */
export function metresBetween(a: Point, b: Point): number {
  const dLat = (b.lat - a.lat) * radians;
  const dLng = (b.lng - a.lng) * radians;
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLng / 2) ** 2;
  return 2 * earthM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The point `metres` away in a direction (degrees from north, clockwise). */
export function pointAt(from: Point, metres: number, bearing: number): Point {
  const angle = metres / earthM;
  const lat = from.lat * radians;
  const turn = bearing * radians;
  const sin = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(turn);
  const dLng = Math.atan2(
    Math.sin(turn) * Math.sin(angle) * Math.cos(lat),
    Math.cos(angle) - Math.sin(lat) * sin,
  );
  return { lat: Math.asin(sin) / radians, lng: from.lng + dLng / radians };
}

/** A closed ring of positions `[lng, lat]` at the same distance around a point. */
export function circle(centre: Point, metres: number, steps = 96): [number, number][] {
  return Array.from({ length: steps + 1 }, (_, index) => {
    const { lat, lng } = pointAt(centre, metres, (index * 360) / steps);
    return [lng, lat];
  });
}
