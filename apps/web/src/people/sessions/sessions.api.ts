import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { pages, unkept } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

/** The devices that are signed in to the account. */
export function useSessions() {
  const user = useUser();
  return useQuery(apiQuery.sessions.list.queryOptions({ enabled: user !== null, staleTime: 0, ...unkept }));
}

/** What happened to the account's sign-in, newest first. */
export const useSignInHistory = (open: boolean) =>
  useInfiniteQuery(
    apiQuery.sessions.history.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...(cursor ? { cursor } : {}) }),
      ...pages,
      enabled: open,
      ...unkept,
    }),
  );

/** `sessions.end` and `sessions.endOthers`. */
export function useEndSessions() {
  const client = useQueryClient();
  const onSettled = () => refetchChanged(client, ['account']);
  return {
    end: useMutation(apiQuery.sessions.end.mutationOptions({ onSettled })),
    endOthers: useMutation(apiQuery.sessions.endOthers.mutationOptions({ onSettled })),
  };
}
