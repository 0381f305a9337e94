import { limits } from '../limits.ts';
import { coarse } from '../people/coarse-place.ts';
import type { Point } from '../people/places.ts';

/** Jobs in one page of nearby jobs on the web. */
export const nearbyPageSize = 30;

/** The search that Explore starts with at a place. The server sends its answer along with the page (ADR 221). */
export const startSearch = ({ lat, lng }: Point) => ({
  radiusKm: limits.radiusDefaultKm,
  sort: 'distance' as const,
  lat: coarse(lat),
  lng: coarse(lng),
  limit: nearbyPageSize,
});
