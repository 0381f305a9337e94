import { hourMs } from '@nearhand/contract/durations';
import type { Place } from '@nearhand/contract/people/places';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { useUser } from '../../lib/session.ts';
import { type Here, useRememberedPlace } from './here.ts';

export function useMapSettings() {
  return useQuery(apiQuery.places.mapSettings.queryOptions({ staleTime: hourMs }));
}

/**
 * The remembered place, otherwise the profile's home area, otherwise the operator's town; null until known.
 */
export function useStartPlace(): Here | null {
  const remembered = useRememberedPlace();
  const isVerified = useUser()?.emailVerified === true;
  const needsProfile = remembered === null && isVerified;
  const profile = useQuery(apiQuery.profiles.mine.queryOptions({ enabled: needsProfile }));
  const { data } = useMapSettings();
  const start: Place | undefined = data?.start;
  if (remembered) return remembered;
  if (needsProfile && profile.isPending && profile.fetchStatus === 'fetching' && profile.failureCount === 0)
    return null;
  const home = needsProfile ? profile.data?.home : null;
  if (home) return { ...home, source: 'home' };
  return start ? { ...start, source: 'chosen' } : null;
}
