import type { Hold } from '@nearhand/contract/money/holds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';
import { isSettled, moneyMoved, settlingMs } from '../charges/charges.api.ts';

/** Often while a card is being charged, occasionally while another must be chosen, since a colleague may do so too. */
function askHoldEvery(hold: Hold | undefined): number | false {
  if (hold && hold.status !== 'created' && hold.status !== 'authorising') return false;
  const underWay = !hold || (hold.charge !== null && !isSettled(hold.charge));
  return underWay ? settlingMs : 5_000;
}

/** A hold, polled while its money is pending. Null disables it. */
export function useHold(holdId: string | null) {
  const query = useQuery(
    apiQuery.holds.get.queryOptions({
      input: { holdId: holdId ?? '' },
      enabled: holdId !== null,
      staleTime: 0,
      gcTime: 60_000,
      refetchInterval: ({ state }) => askHoldEvery(state.data),
      ...unkept,
    }),
  );
  return { ...query, data: query.data };
}

/** `holds.pay`: another card, or the balance, while a hold is unpaid. */
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
    pay: async (input: Parameters<typeof change.mutateAsync>[0]) => await change.mutateAsync(input),
  };
}
