import { minuteMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';

/** Whether the service works. Read now and then: nothing signals it, and an old answer must not outlive the problem. */
export const useServiceState = () =>
  useQuery(
    apiQuery.serviceStatus.get.queryOptions({
      staleTime: minuteMs,
      refetchInterval: 5 * minuteMs,
      ...unkept,
    }),
  );
