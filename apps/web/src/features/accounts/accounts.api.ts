import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useUser } from '../../lib/session.ts';

export { VerifyNotice } from './verify-notice.tsx';

/** The signed-in account; not asked while nobody is signed in. */
export function useAccount() {
  const user = useUser();
  return useQuery(apiQuery.accounts.me.queryOptions({ enabled: user !== null }));
}

/** `accounts.update`: the answer is the account, so nothing has to be asked again. */
export function useUpdateAccount() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.accounts.update.mutationOptions({
      onSuccess: (account) => client.setQueryData(apiQuery.accounts.me.queryKey(), account),
    }),
  );
}
