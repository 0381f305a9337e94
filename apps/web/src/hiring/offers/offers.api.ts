import type { Offer } from '@nearhand/contract/hiring/offers';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { listedOf } from '../../lib/api/client/listed-of.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useUser } from '../../lib/session.ts';

export type OfferGroup = 'live' | 'ended';

export const myOffers = (group?: OfferGroup) =>
  apiQuery.offers.mine.infiniteOptions({
    input: (cursor: string | undefined) => ({
      group: group || undefined,
      // The offers of a series are answered together, and it has up to 60 shifts.
      limit: 100,
      cursor,
    }),
    ...pages,
  });

export function useMyOffers(group?: OfferGroup, { enabled = true }: { enabled?: boolean } = {}) {
  const user = useUser();
  return useInfiniteQuery({ ...myOffers(group), enabled: enabled && user?.emailVerified === true });
}

/** One offer, for both sides. Falls back to the list's version while loading and offline. */
export function useOffer(offerId: string | null | undefined) {
  const listed = () => listedOf<Offer>(apiQuery.offers.mine.key(), offerId);
  return useQuery(
    apiQuery.offers.get.queryOptions({
      input: { offerId: offerId ?? '' },
      enabled: Boolean(offerId),
      initialData: () => listed()?.item,
      initialDataUpdatedAt: () => listed()?.at,
      // Recruiters use it too, and a business's data about others is not stored on the device (ADR 34).
      ...neverPersist,
    }),
  );
}

/** An applicant, or a worker whom the business knows and who has not applied (ADR 165). */
export type OfferTo = { applicationId: string } | { jobId: string; workerId: string };

/** An offer's terms and cost at this pay. Never stored: spots and other bookings change by the minute. */
export function useOfferPreview(to: OfferTo | undefined, payMinor?: number) {
  const pay = payMinor === undefined ? {} : { payMinor };
  const options = {
    staleTime: 0,
    gcTime: 60_000,
    ...neverPersist,
    placeholderData: keepPreviousData,
  };
  const applicationId = to && 'applicationId' in to ? to.applicationId : '';
  const { jobId, workerId } = to && 'workerId' in to ? to : { jobId: '', workerId: '' };
  const toApplicant = useQuery(
    apiQuery.offers.preview.queryOptions({
      ...options,
      input: { applicationId, ...pay },
      enabled: applicationId !== '',
    }),
  );
  const direct = useQuery(
    apiQuery.rebook.preview.queryOptions({
      ...options,
      input: { jobId, workerId, ...pay },
      enabled: workerId !== '',
    }),
  );
  return workerId === '' ? toApplicant : direct;
}

/**
 * Stores a move's result. An unopened offer is not stored: it would lack its `keep: false` and stay on the
 * device.
 */
function cacheOffer(changed: Offer): void {
  const key = apiQuery.offers.get.queryKey({ input: { offerId: changed.id } });
  queryClient.setQueryData(key, (before) => before && changed);
  refetchChanged(['offer', 'engagement'], key);
}

type NewOffer = {
  payMinor?: number;
  message: string;
  funding: FundingSource;
  alsoFor?: string[];
  replaces?: { offerId: string; version: number }[];
};

/**
 * Offers the job on its current terms, frozen (`offers.make` or `rebook.offer`). For the business. Sent once: a
 * second offer would be refused after a lost response.
 */
export function useMakeOffer() {
  const onSuccess = (offer: Offer) => cacheOffer(offer);
  const toApplicant = useMutation({ mutationFn: sendOnce('offers.make', api.offers.make), onSuccess });
  const direct = useMutation({ mutationFn: sendOnce('rebook.offer', api.rebook.offer), onSuccess });
  return (to: OfferTo, terms: NewOffer): Promise<Offer> =>
    'workerId' in to ? direct.mutateAsync({ ...to, ...terms }) : toApplicant.mutateAsync({ ...to, ...terms });
}

/** Takes the spot and books the work (`offers.accept`). For the worker. */
export const useAcceptOffer = () =>
  useMutation(
    apiQuery.offers.accept.mutationOptions({
      onSuccess: cacheOffer,
      onError: reload,
    }),
  );

export const useDeclineOffer = () =>
  useMutation(
    apiQuery.offers.decline.mutationOptions({
      onSuccess: cacheOffer,
      onError: reload,
    }),
  );

export const useWithdrawOffer = () =>
  useMutation({
    mutationFn: sendOnce('offers.withdraw', api.offers.withdraw),
    onSuccess: cacheOffer,
    onError: reload,
  });

function reload(): void {
  refetchChanged(['offer']);
}
