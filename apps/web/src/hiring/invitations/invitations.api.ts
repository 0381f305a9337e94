import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export const myInvitations = () =>
  apiQuery.invitations.mine.infiniteOptions({
    input: (cursor: string | undefined) => ({ cursor }),
    ...pages,
  });

export function useMyInvitations() {
  const user = useUser();
  return useInfiniteQuery({ ...myInvitations(), enabled: user?.emailVerified === true });
}

export const useDeclineInvitation = () =>
  useMutation(
    apiQuery.invitations.decline.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: apiQuery.invitations.mine.key() }),
    }),
  );

export function useCandidates(jobId: string | undefined) {
  return useQuery(
    apiQuery.invitations.candidates.queryOptions({
      input: { jobId: jobId ?? '' },
      enabled: Boolean(jobId),
      ...neverPersist,
    }),
  );
}

export const useInviteAll = () =>
  useMutation(
    apiQuery.invitations.sendAll.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: apiQuery.invitations.find.key() }),
    }),
  );

export const useInvite = () =>
  useMutation(
    apiQuery.invitations.send.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: apiQuery.invitations.candidates.key() }),
    }),
  );
