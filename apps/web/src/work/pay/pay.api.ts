import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { unkept } from '../../lib/query-options.ts';
import { moneyMoved } from '../../money/charges/charges.api.ts';

/** What an approval, or another amount of pay, would do with the hold. */
export function useReleasePreview(engagementId: string | undefined, payMinor?: number) {
  return useQuery(
    apiQuery.pay.releasePreview.queryOptions({
      input: { engagementId: engagementId ?? '', ...(payMinor === undefined ? {} : { payMinor }) },
      enabled: Boolean(engagementId),
      staleTime: 0,
      gcTime: 60_000,
      placeholderData: keepPreviousData,
      ...unkept,
    }),
  );
}

/** `pay.cover`: adds what the hold lacks for overtime or owed pay. */
export function useCover() {
  const client = useQueryClient();
  return useMutation(apiQuery.pay.cover.mutationOptions({ onSettled: () => moneyMoved(client) }));
}

/** `pay.tip`: a tip or a bonus. */
export function useTip() {
  const client = useQueryClient();
  return useMutation(apiQuery.pay.tip.mutationOptions({ onSettled: () => moneyMoved(client) }));
}
