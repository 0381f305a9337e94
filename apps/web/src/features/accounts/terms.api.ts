import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';

/** `accounts.acceptTerms`: the answer is the account, so nothing has to be asked again. */
export function useAcceptTerms() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.accounts.acceptTerms.mutationOptions({
      onSuccess: (account) => client.setQueryData(apiQuery.accounts.me.queryKey(), account),
    }),
  );
}
