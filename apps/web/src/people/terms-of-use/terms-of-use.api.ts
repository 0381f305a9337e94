import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';

/** `termsOfUse.accept`: the answer is the account, so nothing is refetched. */
export function useAcceptTerms() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.termsOfUse.accept.mutationOptions({
      onSuccess: (account) => client.setQueryData(apiQuery.accounts.me.queryKey(), account),
    }),
  );
}

export { keepAcceptedTerms, saveAcceptedTerms } from './terms-kept.ts';

/** `termsOfUse.accepted`: the versions that were accepted, newest first. */
export const useAcceptedTerms = () => useQuery(apiQuery.termsOfUse.accepted.queryOptions());
