import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export function useEmailChange() {
  const user = useUser();
  return useQuery(
    apiQuery.emailChange.current.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

export const useStartEmailChange = () =>
  useMutation({
    ...apiQuery.emailChange.start.mutationOptions({
      onSuccess: (open) => queryClient.setQueryData(apiQuery.emailChange.current.queryKey(), open),
    }),
    mutationFn: withRecentProof(api.emailChange.start),
  });

export const useCancelEmailChange = () =>
  useMutation(apiQuery.emailChange.cancel.mutationOptions({ onSettled: () => refetchChanged(['account']) }));

export const useConfirmEmailChange = () =>
  useMutation(apiQuery.emailChange.confirm.mutationOptions({ onSuccess: () => refetchChanged(['account']) }));

export const useUndoEmailChange = () => useMutation(apiQuery.emailChange.undo.mutationOptions());
