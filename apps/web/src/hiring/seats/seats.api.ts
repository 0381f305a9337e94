import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';

/** What an instant hire reserves when it is published; refetched for every `version` of the draft. */
export function useSeatQuote(jobId: string, version: number) {
  const { queryKey, ...options } = apiQuery.seats.quote.queryOptions({
    input: { jobId },
    staleTime: 0,
    ...unkept,
  });
  return useQuery({ ...options, queryKey: [...queryKey, version] as unknown as typeof queryKey });
}
