import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { pages, unkept } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export const myInvitations = () =>
  apiQuery.invitations.mine.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...(cursor ? { cursor } : {}) }),
    ...pages,
  });

/** The worker's invitations, newest first, in keyset pages. Disabled until a verified user is signed in. */
export function useMyInvitations() {
  const user = useUser();
  return useInfiniteQuery({ ...myInvitations(), enabled: user?.emailVerified === true });
}

export function useDeclineInvitation() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.invitations.decline.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: apiQuery.invitations.mine.key() }),
    }),
  );
}

/** People who can be invited to a job, best match first. */
export function useCandidates(jobId: string | undefined) {
  const query = useQuery(
    apiQuery.invitations.candidates.queryOptions({
      input: { jobId: jobId ?? '' },
      enabled: Boolean(jobId),
      ...unkept,
    }),
  );
  return { ...query, data: query.data };
}

/** `invitations.send`; idempotent. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.invitations.send.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: apiQuery.invitations.candidates.key() }),
    }),
  );
}
