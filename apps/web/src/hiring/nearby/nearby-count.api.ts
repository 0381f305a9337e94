import { coarse } from '@nearhand/contract/people/coarse-place';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import type { NearbyAsk } from './nearby.api.ts';

/** The number of matching open jobs, up to 100; null while there is no place. */
export function useNearbyCount(ask: NearbyAsk | null) {
  const { lat = 0, lng = 0, widen: _widen, sort: _sort, ...filters } = ask ?? {};
  return useQuery(
    apiQuery.nearby.count.queryOptions({
      input: { ...filters, lat: coarse(lat), lng: coarse(lng) },
      enabled: ask !== null,
      placeholderData: keepPreviousData,
      ...neverPersist,
    }),
  );
}
