import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

const idsKey = () => apiQuery.followedBusinesses.ids.queryKey();

/** Undefined until known; false for a guest. */
export function useFollows(businessId: string): boolean | undefined {
  const user = useUser();
  const { data } = useQuery(apiQuery.followedBusinesses.ids.queryOptions({ enabled: user !== null }));
  return user ? data?.includes(businessId) : false;
}

export function useFollowedBusinesses() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.followedBusinesses.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      ...pages,
      enabled: user !== null,
    }),
  );
}

function useOptimistic(following: boolean) {
  return {
    onMutate: ({ businessId }: { businessId: string }) => {
      const before = queryClient.getQueryData<string[]>(idsKey());
      const otherIds = before?.filter((id) => id !== businessId);
      queryClient.setQueryData<string[]>(
        idsKey(),
        otherIds && (following ? [businessId, ...otherIds] : otherIds),
      );
      return { before };
    },
    onError: (_error: unknown, _input: unknown, context: { before: string[] | undefined } | undefined) =>
      queryClient.setQueryData(idsKey(), context?.before),
    onSettled: () => refetchChanged(['followed-business']),
  };
}

export const useFollowBusiness = () =>
  useMutation(apiQuery.followedBusinesses.follow.mutationOptions(useOptimistic(true)));

export const useUnfollowBusiness = () =>
  useMutation(apiQuery.followedBusinesses.unfollow.mutationOptions(useOptimistic(false)));
