import type { Currency } from '@nearhand/contract/money';
import type { Card, Charge } from '@nearhand/contract/payments';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { unkept } from '../../lib/query-options.ts';
import { useFresh } from '../../lib/use-fresh.ts';

export type BusinessBalance = {
  currency: Currency;
  availableMinor: number;
  heldMinor: number;
  holds: number;
  waitingMinor: number;
  paidThisMonthMinor: number;
  owedMinor: number;
};
export type Wallet = {
  balances: BusinessBalance[];
  cards: Card[];
  tokenUrl: string;
  test: boolean;
  canManage: boolean;
};

/** How often a payment that is not settled is asked again. */
export const settlingMs = 1_500;
const freshMs = 15_000;

/** Balance, holds and saved cards of a business. */
export function useWallet(businessId: string | undefined) {
  const fresh = useFresh(freshMs);
  const query = useQuery(
    apiQuery.payments.wallet.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
      staleTime: 0,
      ...fresh,
      ...unkept,
    }),
  );
  return { ...query, data: query.data as Wallet | undefined };
}

/** What the business has in one currency; zero where it never had any. */
export const balanceIn = (wallet: Pick<Wallet, 'balances'> | undefined, currency: Currency): number =>
  wallet?.balances.find((one) => one.currency === currency)?.availableMinor ?? 0;

/** Whether a payment by card is over, one way or the other. */
export const isSettled = ({ status }: Pick<Charge, 'status'>): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';

/** A payment by card, asked again until it is settled. Null asks nothing. */
export function useCharge(chargeId: string | null) {
  const query = useQuery(
    apiQuery.payments.charge.queryOptions({
      input: { chargeId: chargeId ?? '' },
      enabled: chargeId !== null,
      staleTime: 0,
      gcTime: 60_000,
      refetchInterval: ({ state }) => (state.data && isSettled(state.data as Charge) ? false : settlingMs),
      ...unkept,
    }),
  );
  return { ...query, data: query.data as Charge | undefined };
}

/** Whatever moves money: the wallet, statements and what it was for are asked again. */
export function moneyMoved(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: apiQuery.payments.key() });
  void client.invalidateQueries({ queryKey: apiQuery.holds.key() });
  void client.invalidateQueries({ queryKey: apiQuery.statements.key() });
  void client.invalidateQueries({ queryKey: apiQuery.engagements.key() });
  void client.invalidateQueries({ queryKey: apiQuery.offers.key() });
}

/** `payments.addCard`, by the token that the provider gave (`lib/provider-token.ts`). */
export function useAddCard() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.payments.addCard.mutationOptions({
      onSuccess: (card, { businessId }) => {
        // Known at once, so that it can be chosen before the wallet is asked again.
        client.setQueryData(
          apiQuery.payments.wallet.queryKey({ input: { businessId } }),
          (wallet) =>
            wallet && { ...wallet, cards: [...wallet.cards.filter(({ id }) => id !== card.id), card] },
        );
        moneyMoved(client);
      },
    }),
  );
}

/** `payments.removeCard`. */
export function useRemoveCard() {
  const client = useQueryClient();
  return useMutation(apiQuery.payments.removeCard.mutationOptions({ onSettled: () => moneyMoved(client) }));
}

/** `payments.makeCardDefault`. */
export function useMakeCardDefault() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.payments.makeCardDefault.mutationOptions({ onSettled: () => moneyMoved(client) }),
  );
}

/** `payments.topUp`: answers the charge, which settles by itself. */
export function useTopUp() {
  const client = useQueryClient();
  const change = useMutation(
    apiQuery.payments.topUp.mutationOptions({ onSuccess: () => moneyMoved(client) }),
  );
  return {
    ...change,
    topUp: async (input: { businessId: string; amountMinor: number; currency: Currency; cardId: string }) =>
      (await change.mutateAsync(input)) as Charge,
  };
}

/** `payments.refundBalance`: back to the cards it came from. */
export function useRefundBalance() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.payments.refundBalance.mutationOptions({ onSettled: () => moneyMoved(client) }),
  );
}
