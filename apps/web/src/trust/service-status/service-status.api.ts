import { minuteMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';

/** The state of the service. Polled: no signal announces it, and an old response must not outlive the problem. */
export const useServiceState = () =>
  useQuery(
    apiQuery.serviceStatus.get.queryOptions({
      staleTime: minuteMs,
      refetchInterval: 5 * minuteMs,
      ...neverPersist,
    }),
  );
