import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';

export const useBranches = (businessId: string | undefined) =>
  useQuery({
    ...apiQuery.branches.list.queryOptions({ input: { businessId: businessId ?? '' } }),
    enabled: businessId !== undefined,
  });

export function useBranchMoves() {
  // Runs after a refused write too, because another person may have made the change first.
  const onSettled = () => refetchChanged(['business']);
  return {
    create: useMutation(apiQuery.branches.create.mutationOptions({ onSettled })),
    update: useMutation(apiQuery.branches.update.mutationOptions({ onSettled })),
    close: useMutation(apiQuery.branches.close.mutationOptions({ onSettled })),
    reopen: useMutation(apiQuery.branches.reopen.mutationOptions({ onSettled })),
    remove: useMutation(apiQuery.branches.delete.mutationOptions({ onSettled })),
  };
}
