import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { unkept } from '../../lib/query-options.ts';

/** How reliable a worker is, from the facts of a year. */
export function useWorkerReliability(workerId: string | undefined) {
  const query = useQuery(
    apiQuery.reliability.ofWorker.queryOptions({
      input: { workerId: workerId ?? '' },
      enabled: Boolean(workerId),
      ...unkept,
    }),
  );
  return { ...query, data: query.data };
}
