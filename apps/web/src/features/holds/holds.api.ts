import type { Engagement } from '@nearhand/contract/engagements';
import type { Hold, ReleasePreview, Tip } from '@nearhand/contract/holds';
import type { Charge } from '@nearhand/contract/payments';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { unkept } from '../../lib/query-options.ts';
import { isSettled, moneyMoved, settlingMs } from '../payments/payments.api.ts';

/** Soon while a card is asked, now and then while somebody is to choose another, for a colleague may do so too. */
function askHoldEvery(hold: Hold | undefined): number | false {
  if (hold && hold.status !== 'created' && hold.status !== 'authorising') return false;
  const underWay = !hold || (hold.charge !== null && !isSettled(hold.charge));
  return underWay ? settlingMs : 5_000;
}

/** A hold, asked again while its money is on the way. Null asks nothing. */
export function useHold(holdId: string | null) {
  const query = useQuery(
    apiQuery.holds.get.queryOptions({
      input: { holdId: holdId ?? '' },
      enabled: holdId !== null,
      staleTime: 0,
      gcTime: 60_000,
      refetchInterval: ({ state }) => askHoldEvery(state.data as Hold | undefined),
      ...unkept,
    }),
  );
  return { ...query, data: query.data as Hold | undefined };
}

/** What an instant hire sets aside when it is published; asked anew for every `version` of the draft. */
export function useSeatQuote(jobId: string, version: number) {
  const { queryKey, ...options } = apiQuery.holds.seatQuote.queryOptions({
    input: { jobId },
    staleTime: 0,
    ...unkept,
  });
  return useQuery({ ...options, queryKey: [...queryKey, version] as unknown as typeof queryKey });
}

/** What an approval, or another amount of pay, would do with the hold. */
export function useReleasePreview(engagementId: string | undefined, payMinor?: number) {
  const query = useQuery(
    apiQuery.holds.releasePreview.queryOptions({
      input: { engagementId: engagementId ?? '', ...(payMinor === undefined ? {} : { payMinor }) },
      enabled: Boolean(engagementId),
      staleTime: 0,
      gcTime: 60_000,
      placeholderData: (before: unknown) => before as never,
      ...unkept,
    }),
  );
  return { ...query, data: query.data as ReleasePreview | undefined };
}

/** `holds.pay`: another card, or the balance, while a hold waits for its money. */
export function usePayHold() {
  const client = useQueryClient();
  const change = useMutation(
    apiQuery.holds.pay.mutationOptions({
      onSuccess: (paid) =>
        client.setQueryData(apiQuery.holds.get.queryKey({ input: { holdId: paid.id } }), paid),
      onSettled: () => moneyMoved(client),
    }),
  );
  return {
    ...change,
    pay: async (input: Parameters<typeof change.mutateAsync>[0]) => (await change.mutateAsync(input)) as Hold,
  };
}

/** `holds.cover`: overtime or owed pay that the hold lacks. */
export function useCover() {
  const client = useQueryClient();
  const change = useMutation(apiQuery.holds.cover.mutationOptions({ onSettled: () => moneyMoved(client) }));
  return {
    ...change,
    cover: async (input: Parameters<typeof change.mutateAsync>[0]) =>
      (await change.mutateAsync(input)) as { engagement: Engagement; charge: Charge | null },
  };
}

/** `holds.tip`: a tip or a bonus. */
export function useTip() {
  const client = useQueryClient();
  const change = useMutation(apiQuery.holds.tip.mutationOptions({ onSettled: () => moneyMoved(client) }));
  return {
    ...change,
    tip: async (input: Parameters<typeof change.mutateAsync>[0]) => (await change.mutateAsync(input)) as Tip,
  };
}
