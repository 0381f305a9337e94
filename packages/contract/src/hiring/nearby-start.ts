import { coarse } from '../people/coarse-place.ts';
import type { Point } from '../people/places.ts';

export const nearbyPageSize = 30;

/** Next to the first search, so that Explore starts without the limits of other screens. */
export const nearbyLimits = {
  radiusChoicesKm: [5, 10, 25, 50, 100],
  radiusDefaultKm: 25,
  radiusMaxKm: 100,
  /** With fewer results a search is widened. */
  widenBelowResults: 10,
  /** Jobs are counted up to this number. */
  countMax: 100,
} as const;

/** The first search of Explore at a place. The server includes its response in the page (ADR 221). */
export const startSearch = ({ lat, lng }: Point) => ({
  radiusKm: nearbyLimits.radiusDefaultKm,
  sort: 'distance' as const,
  lat: coarse(lat),
  lng: coarse(lng),
  limit: nearbyPageSize,
});
