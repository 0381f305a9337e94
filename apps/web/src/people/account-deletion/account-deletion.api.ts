import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { auth } from '../../lib/api/auth-provider.ts';
import { queryClient } from '../../lib/api/query.ts';

export const useDeletion = () => useQuery(apiQuery.accountDeletion.get.queryOptions());

/** Mails a code to accounts without a password (`accountDeletion.sendCode`). */
export const useSendDeletionCode = () => useMutation(apiQuery.accountDeletion.sendCode.mutationOptions());

/** Requests deletion (`accountDeletion.request`), which ends the session, so nothing is refetched. */
export const useRequestDeletion = () => useMutation(apiQuery.accountDeletion.request.mutationOptions());

/** Undoes the deletion (`accountDeletion.undo`) and renews the access token, which contains the account's state. */
export const useUndoDeletion = () =>
  useMutation(
    apiQuery.accountDeletion.undo.mutationOptions({
      onSuccess: async (state) => {
        queryClient.setQueryData(apiQuery.accountDeletion.get.queryKey(), state);
        await auth().idToken({ fresh: true });
      },
    }),
  );
