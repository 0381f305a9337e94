import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { pages } from '../../lib/api/query-options.ts';

/** The caller's invite code, link, terms and totals. */
export const useMyInvitations = () => useQuery(apiQuery.referrals.mine.queryOptions());

/** Who joined by the caller's code, newest first, in keyset pages. */
export const useReferrals = () =>
  useInfiniteQuery(
    apiQuery.referrals.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...(cursor ? { cursor } : {}) }),
      ...pages,
    }),
  );
