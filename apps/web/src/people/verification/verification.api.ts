import type { VerificationOverview } from '@nearhand/contract/people/verification';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export function useVerification() {
  const user = useUser();
  return useQuery(
    apiQuery.verification.overview.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

function useStored() {
  const key = apiQuery.verification.overview.queryKey();
  return {
    onSuccess: (overview: VerificationOverview) => {
      queryClient.setQueryData(key, overview);
      refetchChanged(['profile', 'account'], key);
    },
  };
}

export const useSendPhoneCode = () =>
  useMutation(apiQuery.verification.sendPhoneCode.mutationOptions(useStored()));

export const useConfirmPhone = () =>
  useMutation({
    ...apiQuery.verification.confirmPhone.mutationOptions(useStored()),
    mutationFn: withRecentProof(api.verification.confirmPhone),
  });
