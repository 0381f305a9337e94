import type { NearbySort } from '@nearhand/contract/hiring/nearby';
import { nearbyPageSize } from '@nearhand/contract/hiring/nearby-start';
import { coarse } from '@nearhand/contract/people/coarse-place';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { JobKind } from '@nearhand/contract/work/terms';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';

export type NearbyAsk = {
  lat: number;
  lng: number;
  radiusKm?: number;
  sort?: NearbySort;
  category?: CategoryId;
  kind?: JobKind;
  /** Hourly minor units, in the local jobs' currency. */
  minPay?: number;
  /** Minor units for the whole job. */
  minTotal?: number;
  /** Separated by commas. */
  weekdays?: string;
  /** Minutes after midnight where the job is. */
  startsFrom?: number;
  endsBy?: number;
  maxMinutes?: number;
  from?: string;
  to?: string;
  q?: string;
  instant?: 'true';
  funded?: 'true';
  evening?: 'true';
  morning?: 'true';
  afternoon?: 'true';
  verified?: 'true';
  fits?: 'true';
  /** False keeps the radius even with few results. */
  widen?: boolean;
};

const nearbyInput = ({ lat, lng, widen, ...ask }: NearbyAsk) => ({
  ...ask,
  lat: coarse(lat),
  lng: coarse(lng),
  limit: nearbyPageSize,
  ...(widen === false ? { widen: 'false' as const } : {}),
});

export const nearbyJobs = (ask: NearbyAsk) =>
  apiQuery.nearby.search.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...nearbyInput(ask), cursor }),
    ...pages,
    // A changed filter keeps the list in view, dimmed, until the new one has loaded.
    placeholderData: (before) => before,
  });

export const useNearbyJobs = (ask: NearbyAsk | null) =>
  useInfiniteQuery({ ...nearbyJobs(ask ?? { lat: 0, lng: 0 }), enabled: ask !== null });

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
