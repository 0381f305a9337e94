import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';

/** Offers the same job on another day to one worker, in one step (`rebook.again`). */
export const useOfferAgain = () =>
  useMutation(
    apiQuery.rebook.again.mutationOptions({
      onSuccess: () => refetchChanged(['offer', 'engagement', 'job']),
    }),
  );

/** Offers a copy of a shift to several workers at once (`rebook.crew`). */
export const useOfferCrew = () =>
  useMutation(
    apiQuery.rebook.crew.mutationOptions({
      onSuccess: () => refetchChanged(['offer', 'engagement', 'job']),
    }),
  );

/** Workers whom a shift, or its copy on `day`, can be offered to. Never stored: whether they are free changes by the minute. */
export const useOfferCandidates = (
  jobId: string,
  {
    day,
    workerIds,
    enabled = true,
    staleTime = 0,
  }: { day?: string; workerIds?: string; enabled?: boolean; staleTime?: number } = {},
) =>
  useQuery(
    apiQuery.rebook.candidates.queryOptions({
      input: { jobId, day, workerIds },
      enabled,
      staleTime,
      ...neverPersist,
    }),
  );

/** Direct offers that still have to be paid. Never stored: they last 15 minutes. */
export function useUnpaidOffers(businessId: string | undefined) {
  return useQuery(
    apiQuery.rebook.unpaid.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
      staleTime: 0,
      ...neverPersist,
    }),
  );
}
