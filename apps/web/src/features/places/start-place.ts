import { hourMs } from '@nearhand/contract/durations';
import type { Place } from '@nearhand/contract/places';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useUser } from '../../lib/session.ts';
import { type Here, useRememberedPlace } from './here.ts';

/** How the map is drawn and where it starts; changes with the configuration only. */
export function useMapSettings() {
  return useQuery(apiQuery.places.mapSettings.queryOptions({ staleTime: hourMs }));
}

/**
 * Where to start looking: the place remembered on this device, else the home area of one's profile, else the operator's town; null until known. Home is not
 * remembered here: it follows the profile.
 */
export function useStartPlace(): Here | null {
  const remembered = useRememberedPlace();
  const verified = useUser()?.emailVerified === true;
  const asks = remembered === null && verified;
  const profile = useQuery(apiQuery.profiles.mine.queryOptions({ enabled: asks }));
  const { data } = useMapSettings();
  const start: Place | undefined = data?.start;
  if (remembered) return remembered;
  // Without a network, or when it fails, the town has to do.
  if (asks && profile.isPending && profile.fetchStatus === 'fetching' && profile.failureCount === 0)
    return null;
  const home = asks ? profile.data?.home : null;
  if (home) return { ...home, source: 'home' };
  return start ? { ...start, source: 'chosen' } : null;
}
