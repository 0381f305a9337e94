import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { auth } from '../../lib/api/auth-provider.ts';

export const useDeletion = () => useQuery(apiQuery.accountDeletion.get.queryOptions());

/** `accountDeletion.sendCode`: mails a code to accounts without a password. */
export const useSendDeletionCode = () => useMutation(apiQuery.accountDeletion.sendCode.mutationOptions());

/** `accountDeletion.request`: ends the session too, so nothing is refetched. */
export const useRequestDeletion = () => useMutation(apiQuery.accountDeletion.request.mutationOptions());

/** `accountDeletion.undo`: renews the access token, which contains the account's state. */
export function useUndoDeletion() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.accountDeletion.undo.mutationOptions({
      onSuccess: async (state) => {
        client.setQueryData(apiQuery.accountDeletion.get.queryKey(), state);
        await auth().idToken({ fresh: true });
      },
    }),
  );
}
