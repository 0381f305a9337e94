import { t } from '@lingui/core/macro';
import type { Point } from '@nearhand/contract/people/places';
import type { Feature, FeatureCollection, Polygon } from 'geojson';
import { formatDistance, usesMiles, walkingMinutes } from '../../../lib/words/format.ts';
import { circleAround, pointAt } from '../geo.ts';

const mile = 1_609.344;

const ringChoices = (timeZone?: string): number[] =>
  usesMiles(timeZone)
    ? [0.5, 1, 2, 5, 10, 25, 50, 100].map((miles) => miles * mile)
    : [0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 200].map((km) => km * 1_000);

const smallestPx = 74;

/** Three rings that fit the view, at `pxPerM` pixels per metre. */
export function ringsFor(pxPerM: number, timeZone?: string): number[] {
  const choices = ringChoices(timeZone);
  const first = choices.findIndex((metres) => metres * pxPerM >= smallestPx);
  return first < 0 ? choices.slice(-1) : choices.slice(first, first + 3);
}

/** "1 km · about 16 min walk", "5 km · about 25 min by bike", "25 km". */
export function ringLabel(metres: number, timeZone?: string): string {
  const distance = formatDistance(metres, timeZone);
  const walk = walkingMinutes(metres);
  if (walk <= 30) return t`${distance} · about ${walk} min walk`;
  const bike = cyclingMinutes(metres);
  return bike <= 40 ? t`${distance} · about ${bike} min by bike` : distance;
}

/** Minutes by bike at 250 m per minute; streets are about a quarter longer than the straight line. */
const cyclingMinutes = (metres: number): number => Math.max(1, Math.round((metres * 1.25) / 250));

export function ringShapes(centre: Point, radii: readonly number[]): FeatureCollection<Polygon> {
  return {
    type: 'FeatureCollection',
    features: radii.map(
      (metres, index): Feature<Polygon> => ({
        type: 'Feature',
        properties: { first: index === 0, order: index },
        geometry: { type: 'Polygon', coordinates: [circleAround(centre, metres, 128)] },
      }),
    ),
  };
}

export const labelPoint = (centre: Point, metres: number, bearing: number): Point =>
  pointAt(centre, metres, bearing);

/** Approximate error of a blurred place (contract, jobPlace). */
const blurM = 500;

export function blurShapes(points: readonly Point[]): FeatureCollection<Polygon> {
  return {
    type: 'FeatureCollection',
    features: points.map((point) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: [circleAround(point, blurM, 48)] },
    })),
  };
}
