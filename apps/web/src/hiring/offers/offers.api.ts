import type { Offer } from '@nearhand/contract/hiring/offers';
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { pages, unkept } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export type OfferGroup = 'live' | 'ended';

/** The signed-in worker's offers, newest first, in keyset pages. Disabled until a verified user is signed in. */
export function useMyOffers(group?: OfferGroup) {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.offers.mine.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...(group ? { group } : {}),
        ...(cursor ? { cursor } : {}),
      }),
      ...pages,
      enabled: user?.emailVerified === true,
    }),
  );
}

/** One offer, for its worker and recruiters of its business. */
export function useOffer(offerId: string | null | undefined) {
  return useQuery(
    apiQuery.offers.get.queryOptions({
      input: { offerId: offerId ?? '' },
      enabled: Boolean(offerId),
      // Recruiters use it too, and what a merchant reads about others is not stored on the device (ADR 0024).
      ...unkept,
    }),
  );
}

/** An offer's terms and cost. Depends on the pay: refetched as it is raised. Never stored: spots and other bookings change by the minute. */
export function useOfferPreview(applicationId: string | undefined, payMinor?: number) {
  return useQuery(
    apiQuery.offers.preview.queryOptions({
      input: { applicationId: applicationId ?? '', ...(payMinor === undefined ? {} : { payMinor }) },
      enabled: Boolean(applicationId),
      staleTime: 0,
      gcTime: 60_000,
      ...unkept,
      // The previous pay's figures stay until the new ones have loaded.
      placeholderData: keepPreviousData,
    }),
  );
}

/**
 * Stores a move's result and refetches the application, the job's spots and the booked work. One not opened yet is not stored here: it
 * would lack its `keep: false` and be stored on the device.
 */
function keepOffer(client: QueryClient, changed: Offer): void {
  const key = apiQuery.offers.get.queryKey({ input: { offerId: changed.id } });
  client.setQueryData(key, (before) => before && changed);
  refetchChanged(client, ['offer', 'engagement'], key);
}

/** `offers.make`: the job on its current terms, frozen. Merchant. */
export function useMakeOffer() {
  const client = useQueryClient();
  return useMutation(apiQuery.offers.make.mutationOptions({ onSuccess: (made) => keepOffer(client, made) }));
}

/** `offers.accept`: takes the spot and books the work. Worker. A refusal often means that something changed, so the offer is refetched. */
export function useAcceptOffer() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.offers.accept.mutationOptions({
      onSuccess: (changed) => keepOffer(client, changed),
      onError: () => reload(client),
    }),
  );
}

/** `offers.decline`, with an optional reason. Worker. */
export function useDeclineOffer() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.offers.decline.mutationOptions({
      onSuccess: (changed) => keepOffer(client, changed),
      onError: () => reload(client),
    }),
  );
}

/** `offers.withdraw`: before it is accepted. Merchant. */
export function useWithdrawOffer() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.offers.withdraw.mutationOptions({
      onSuccess: (changed) => keepOffer(client, changed),
      onError: () => reload(client),
    }),
  );
}

function reload(client: QueryClient): void {
  refetchChanged(client, ['offer']);
}
