import { earthRadiusM } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';

const radians = Math.PI / 180;

/** The point `metres` away in a direction (degrees from north, clockwise). */
export function pointAt(from: Point, metres: number, bearing: number): Point {
  const angle = metres / earthRadiusM;
  const lat = from.lat * radians;
  const turn = bearing * radians;
  const sin = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(turn);
  const dLng = Math.atan2(
    Math.sin(turn) * Math.sin(angle) * Math.cos(lat),
    Math.cos(angle) - Math.sin(lat) * sin,
  );
  return { lat: Math.asin(sin) / radians, lng: from.lng + dLng / radians };
}

/** A closed ring of `[lng, lat]` positions around a point. */
export function circleAround(centre: Point, metres: number, steps = 96): [number, number][] {
  return Array.from({ length: steps + 1 }, (_, index) => {
    const { lat, lng } = pointAt(centre, metres, (index * 360) / steps);
    return [lng, lat];
  });
}
