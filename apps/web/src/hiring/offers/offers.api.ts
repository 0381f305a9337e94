import type { Offer } from '@nearhand/contract/hiring/offers';
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { refetchChanged } from '../../lib/changed-records.ts';
import { pages, unkept } from '../../lib/query-options.ts';
import { useUser } from '../../lib/session.ts';

export type OfferGroup = 'live' | 'ended';

/** Offers made to the signed-in worker, newest first, in keyset pages. Not asked while nobody verified is signed in. */
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

/** One offer, for its worker and for the recruiters of its business. */
export function useOffer(offerId: string | null | undefined) {
  return useQuery(
    apiQuery.offers.get.queryOptions({
      input: { offerId: offerId ?? '' },
      enabled: Boolean(offerId),
      // A recruiter may ask for it too, and what a merchant reads of other people stays off the device (ADR 0024).
      ...unkept,
    }),
  );
}

/**
 * What an offer made now would say and cost. The pay is part of the question: it is asked again as it is raised. Never kept: seats and other
 * bookings change by the minute.
 */
export function useOfferPreview(applicationId: string | undefined, payMinor?: number) {
  return useQuery(
    apiQuery.offers.preview.queryOptions({
      input: { applicationId: applicationId ?? '', ...(payMinor === undefined ? {} : { payMinor }) },
      enabled: Boolean(applicationId),
      staleTime: 0,
      gcTime: 60_000,
      ...unkept,
      // The figures of the pay typed before stay until those of the new one are there.
      placeholderData: keepPreviousData,
    }),
  );
}

/**
 * After a change the answer is the newest truth; the application, the job's seats and the booked work follow it. One that nobody has opened yet is loaded when
 * it is: put here, it would be without its `keep: false` and stay on the device.
 */
function keepOffer(client: QueryClient, changed: Offer): void {
  const key = apiQuery.offers.get.queryKey({ input: { offerId: changed.id } });
  client.setQueryData(key, (before) => before && changed);
  refetchChanged(client, ['offer', 'engagement'], key);
}

/** `offers.make`: the job on its terms of now, frozen. Merchant. */
export function useMakeOffer() {
  const client = useQueryClient();
  return useMutation(apiQuery.offers.make.mutationOptions({ onSuccess: (made) => keepOffer(client, made) }));
}

/** `offers.accept`: takes the seat and books the work. Worker. A refusal is often news, so the offer is asked again after it. */
export function useAcceptOffer() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.offers.accept.mutationOptions({
      onSuccess: (changed) => keepOffer(client, changed),
      onError: () => reload(client),
    }),
  );
}

/** `offers.decline`, with a reason if they like. Worker. */
export function useDeclineOffer() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.offers.decline.mutationOptions({
      onSuccess: (changed) => keepOffer(client, changed),
      onError: () => reload(client),
    }),
  );
}

/** `offers.withdraw`: taken back before it is accepted. Merchant. */
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
