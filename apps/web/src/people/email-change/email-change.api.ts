import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { confirmed } from '../../lib/api/confirmed.ts';
import { unkept } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export function useEmailChange() {
  const user = useUser();
  return useQuery(
    apiQuery.emailChange.current.queryOptions({ enabled: user !== null, staleTime: 0, ...unkept }),
  );
}

export function useStartEmailChange() {
  const client = useQueryClient();
  return useMutation({
    ...apiQuery.emailChange.start.mutationOptions({
      onSuccess: (open) => client.setQueryData(apiQuery.emailChange.current.queryKey(), open),
    }),
    mutationFn: confirmed(api.emailChange.start),
  });
}

export function useCancelEmailChange() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.emailChange.cancel.mutationOptions({ onSettled: () => refetchChanged(client, ['account']) }),
  );
}

export function useConfirmEmailChange() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.emailChange.confirm.mutationOptions({ onSuccess: () => refetchChanged(client, ['account']) }),
  );
}

export const useUndoEmailChange = () => useMutation(apiQuery.emailChange.undo.mutationOptions());
