import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';

export const useTeam = (businessId: string) =>
  useQuery(apiQuery.team.members.queryOptions({ input: { businessId }, ...neverPersist }));

/** Invitations and links of a business, newest first, for those who manage the team. */
export const useTeamInvitations = (businessId: string, enabled: boolean) =>
  useInfiniteQuery(
    apiQuery.team.invitations.infiniteOptions({
      input: (cursor: string | undefined) => ({ businessId, cursor }),
      ...pages,
      ...neverPersist,
      enabled,
    }),
  );

export const useTeamLog = (businessId: string) =>
  useInfiniteQuery(
    apiQuery.team.log.infiniteOptions({
      input: (cursor: string | undefined) => ({ businessId, cursor }),
      ...pages,
      ...neverPersist,
    }),
  );

/** Refetches after a refused write too, because another person may have made the change first. */
function useRefetch(): () => void {
  return () => refetchChanged(['business']);
}

export function useInviting() {
  const onSettled = useRefetch();
  return {
    invite: useMutation({
      ...apiQuery.team.invite.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.invite),
    }),
    createLink: useMutation({
      ...apiQuery.team.createLink.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.createLink),
    }),
    resend: useMutation({
      ...apiQuery.team.resend.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.resend),
    }),
    renewLink: useMutation({
      ...apiQuery.team.renewLink.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.renewLink),
    }),
    revoke: useMutation(apiQuery.team.revoke.mutationOptions({ onSettled })),
  };
}

export function useJoining() {
  const onSettled = useRefetch();
  return {
    accept: useMutation(apiQuery.team.accept.mutationOptions({ onSettled })),
    decline: useMutation(apiQuery.team.decline.mutationOptions({ onSettled })),
    ask: useMutation(apiQuery.team.ask.mutationOptions({ onSettled })),
    acceptReceived: useMutation({
      ...apiQuery.team.acceptReceived.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.acceptReceived),
    }),
    declineReceived: useMutation(apiQuery.team.declineReceived.mutationOptions({ onSettled })),
  };
}

export function useMemberMoves() {
  const onSettled = useRefetch();
  return {
    changeRole: useMutation({
      ...apiQuery.team.changeRole.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.changeRole),
    }),
    remove: useMutation({
      ...apiQuery.team.remove.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.remove),
    }),
    leave: useMutation({
      ...apiQuery.team.leave.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.leave),
    }),
    offerOwnership: useMutation({
      ...apiQuery.team.offerOwnership.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.offerOwnership),
    }),
    withdrawOwnership: useMutation(apiQuery.team.withdrawOwnership.mutationOptions({ onSettled })),
    acceptOwnership: useMutation({
      ...apiQuery.team.acceptOwnership.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.team.acceptOwnership),
    }),
    declineOwnership: useMutation(apiQuery.team.declineOwnership.mutationOptions({ onSettled })),
  };
}

/** A change of ownership, as the former owners see it. */
export const useOwnerChange = (teamMoveId: string) =>
  useQuery(apiQuery.team.ownerChange.queryOptions({ input: { teamMoveId }, ...neverPersist }));

export function useUndoOwnerChange() {
  const refetch = useRefetch();
  return useMutation({
    ...apiQuery.team.undoOwnerChange.mutationOptions({
      onSuccess: (change) =>
        queryClient.setQueryData(
          apiQuery.team.ownerChange.queryKey({ input: { teamMoveId: change.id } }),
          change,
        ),
      onSettled: refetch,
    }),
    mutationFn: withRecentProof(api.team.undoOwnerChange),
  });
}
