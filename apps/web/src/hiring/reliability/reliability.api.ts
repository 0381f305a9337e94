import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';

/** A worker's reliability, from a year of facts. */
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
