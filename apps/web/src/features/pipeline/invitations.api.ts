import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { pages } from '../../lib/query-options.ts';
import { useUser } from '../../lib/session.ts';

/** The worker's own invitations, newest first, in keyset pages. Not asked while nobody verified is signed in. */
export function useMyInvitations() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.pipeline.invitations.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...(cursor ? { cursor } : {}) }),
      ...pages,
      enabled: user?.emailVerified === true,
    }),
  );
}

/** `pipeline.declineInvitation`. */
export function useDeclineInvitation() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.pipeline.declineInvitation.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: apiQuery.pipeline.invitations.key() }),
    }),
  );
}
