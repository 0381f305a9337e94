import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { moneyMoved } from '../charges/charges.api.ts';

/** Adds a card (`cards.add`), with the token from the payment provider (`lib/api/provider-token.ts`). */
export function useAddCard() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.cards.add.mutationOptions({
      onSuccess: (card, { businessId }) => {
        // Makes the new card available before the wallet is refetched.
        client.setQueryData(
          apiQuery.wallet.get.queryKey({ input: { businessId } }),
          (wallet) =>
            wallet && { ...wallet, cards: [...wallet.cards.filter(({ id }) => id !== card.id), card] },
        );
        moneyMoved(client);
      },
    }),
  );
}

/** Opens the provider's page that saves a card (`cards.openPage`). */
export const useOpenCardPage = () => useMutation(apiQuery.cards.openPage.mutationOptions());

export function useRemoveCard() {
  const client = useQueryClient();
  return useMutation(apiQuery.cards.remove.mutationOptions({ onSettled: () => moneyMoved(client) }));
}

export function useMakeCardDefault() {
  const client = useQueryClient();
  return useMutation(apiQuery.cards.makeDefault.mutationOptions({ onSettled: () => moneyMoved(client) }));
}
