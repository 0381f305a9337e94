import { useMutation } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { moneyMoved } from '../charges/charges.api.ts';

/** Adds a card (`cards.add`), with the token from the payment provider (`lib/api/provider-token.ts`). */
export const useAddCard = () =>
  useMutation(
    apiQuery.cards.add.mutationOptions({
      onSuccess: (card, { businessId }) => {
        // Makes the new card available before the wallet is refetched.
        queryClient.setQueryData(
          apiQuery.wallet.get.queryKey({ input: { businessId } }),
          (wallet) =>
            wallet && { ...wallet, cards: [...wallet.cards.filter(({ id }) => id !== card.id), card] },
        );
        moneyMoved();
      },
    }),
  );

/** Opens the provider's page that saves a card (`cards.openPage`). */
export const useOpenCardPage = () => useMutation(apiQuery.cards.openPage.mutationOptions());

export const useRemoveCard = () =>
  useMutation(apiQuery.cards.remove.mutationOptions({ onSettled: moneyMoved }));

export const useMakeCardDefault = () =>
  useMutation(apiQuery.cards.makeDefault.mutationOptions({ onSettled: moneyMoved }));
