import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { pages } from '../../lib/api/query-options.ts';

export const useMyReferrals = () => useQuery(apiQuery.referrals.mine.queryOptions());

export const useReferrals = () =>
  useInfiniteQuery(
    apiQuery.referrals.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      ...pages,
    }),
  );

/** Records who invited the caller (`referrals.claim`). Idempotent. */
export const useClaim = () =>
  useMutation(apiQuery.referrals.claim.mutationOptions({ onSuccess: () => refetchChanged(['referral']) }));
