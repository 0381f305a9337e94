import { t } from '@lingui/core/macro';
import { hourMs } from '@nearhand/contract/durations';
import { coarse } from '@nearhand/contract/people/coarse-place';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { joined } from '../../lib/words/format.ts';
import { useMapSettings } from './start-place.ts';

/** No travel time is shown beyond this distance, in metres. */
const farthestM = 12_000;
const walkMax = 30;
const bikeMax = 60;

/** "about 12 min walk, about 5 min by bike" along streets, if the server has a router; null until known. */
export function useTravelText(from: Point | null, to: Point): string | null {
  const { data: settings } = useMapSettings();
  const needsTravel = settings?.travelTimes === true && from !== null && metresBetween(from, to) < farthestM;
  const { data } = useQuery(
    apiQuery.places.travel.queryOptions({
      // The person's position is sent as coarsely as in a search.
      input: {
        fromLat: coarse(from?.lat ?? 0),
        fromLng: coarse(from?.lng ?? 0),
        toLat: to.lat,
        toLng: to.lng,
      },
      enabled: needsTravel,
      staleTime: hourMs,
      retry: false,
    }),
  );
  if (!needsTravel || !data) return null;
  const { walkMinutes: walk, bikeMinutes: bike } = data;
  const ways = [
    walk !== null && walk <= walkMax ? t`about ${walk} min walk` : null,
    bike !== null && bike <= bikeMax ? t`about ${bike} min by bike` : null,
  ].filter((way) => way !== null);
  return ways.length > 0 ? joined(...ways) : null;
}
