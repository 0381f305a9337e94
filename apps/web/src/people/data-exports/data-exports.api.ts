import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';

const everyMs = 4_000;

/** `dataExports.get`: the latest copy, asked for again while one is being made. */
export const useDataExport = () =>
  useQuery(
    apiQuery.dataExports.get.queryOptions({
      refetchInterval: ({
        state,
      }: {
        state: { data?: { latest: { status: string } | null } | undefined };
      }) => (state.data?.latest?.status === 'running' ? everyMs : false),
    }),
  );

/** `dataExports.request`: the answer is the new state. */
export function useRequestExport() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.dataExports.request.mutationOptions({
      onSuccess: (state) => client.setQueryData(apiQuery.dataExports.get.queryKey(), state),
    }),
  );
}
