import type { Charge } from '@nearhand/contract/money/charges';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';

export const chargePollMs = 1_500;

export const isChargeOver = ({ status }: Pick<Charge, 'status'>): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';

/** A card payment, polled until it ends. Disabled while `chargeId` is null. */
export function useCharge(chargeId: string | null) {
  return useQuery(
    apiQuery.charges.get.queryOptions({
      input: { chargeId: chargeId ?? '' },
      enabled: chargeId !== null,
      staleTime: 0,
      gcTime: 60_000,
      refetchInterval: ({ state }) => (state.data && isChargeOver(state.data) ? false : chargePollMs),
      ...neverPersist,
    }),
  );
}

/** Refreshes every screen that shows a balance or a hold. */
export function moneyMoved(): void {
  refetchChanged(['wallet', 'hold']);
}

/** Refunds balance to the cards it came from (`charges.refund`). */
export const useRefundBalance = () =>
  useMutation(apiQuery.charges.refund.mutationOptions({ onSettled: moneyMoved }));
