import { coarse } from '../people/coarse-place.ts';
import type { Point } from '../people/places.ts';
import { hiringLimits } from './limits.ts';

export const nearbyPageSize = 30;

/** The first search of Explore at a place. The server includes its response in the page (ADR 221). */
export const startSearch = ({ lat, lng }: Point) => ({
  radiusKm: hiringLimits.radiusDefaultKm,
  sort: 'distance' as const,
  lat: coarse(lat),
  lng: coarse(lng),
  limit: nearbyPageSize,
});
