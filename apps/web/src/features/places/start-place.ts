import { hourMs } from '@nearhand/contract/durations';
import type { Place } from '@nearhand/contract/places';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { type Here, useRememberedPlace } from './here.ts';

/** How the map is drawn and where it starts; changes with the configuration only. */
export function useMapSettings() {
  return useQuery(apiQuery.places.mapSettings.queryOptions({ staleTime: hourMs }));
}

/** Where to start looking: the place remembered on this device, else the operator's town; null until known. */
export function useStartPlace(): Here | null {
  const remembered = useRememberedPlace();
  const { data } = useMapSettings();
  const start: Place | undefined = data?.start;
  if (remembered) return remembered;
  return start ? { ...start, source: 'chosen' } : null;
}
