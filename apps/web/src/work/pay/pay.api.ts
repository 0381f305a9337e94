import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { moneyMoved } from '../../money/charges/charges.api.ts';

/** The effect of an approval, or of another amount of pay, on the hold. */
export function useReleasePreview(engagementId: string | undefined, payMinor?: number) {
  return useQuery(
    apiQuery.pay.releasePreview.queryOptions({
      input: { engagementId: engagementId ?? '', payMinor },
      enabled: Boolean(engagementId),
      staleTime: 0,
      gcTime: 60_000,
      placeholderData: keepPreviousData,
      ...neverPersist,
    }),
  );
}

/** Sets aside the missing money for overtime or owed pay (`pay.cover`). */
export const useCover = () =>
  useMutation({
    mutationFn: sendOnce('pay.cover', api.pay.cover),
    onSettled: moneyMoved,
  });

export const useTip = () =>
  useMutation({
    mutationFn: sendOnce('pay.tip', api.pay.tip),
    onSettled: moneyMoved,
  });
