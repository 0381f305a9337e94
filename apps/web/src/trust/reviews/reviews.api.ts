import type { OwnReview, PublishedReview, ReviewPage } from '@nearhand/contract/trust/reviews';
import type { ReviewSort } from '@nearhand/contract/trust/reviews.rules';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';

export type Author = { businessId?: string };

const atOnceMax = 100;

export function useReviewsToWrite(author: Author) {
  return useInfiniteQuery({
    ...apiQuery.reviews.toWrite.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...author,
        limit: atOnceMax,
        cursor,
      }),
      ...pages,
    }),
    ...neverPersist,
  });
}

export function useGivenReviews(author: Author) {
  return useInfiniteQuery({
    ...apiQuery.reviews.given.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...author, cursor }),
      ...pages,
    }),
    ...neverPersist,
  });
}

export type Look = { sort: ReviewSort; stars: number | null };
const inputOf = ({ sort, stars }: Look, cursor: string | undefined) => ({
  sort,
  ...(stars === null ? {} : { stars }),
  cursor,
});

export const businessReviews = (businessId: string, look: Look) =>
  apiQuery.reviews.ofBusiness.infiniteOptions({
    input: (cursor: string | undefined) => ({ businessId, ...inputOf(look, cursor) }),
    ...pages,
  });

export const useBusinessReviews = (businessId: string, look: Look) =>
  useInfiniteQuery(businessReviews(businessId, look));

export function useKnownReview(reviewId: string): PublishedReview | undefined {
  return [apiQuery.reviews.ofBusiness, apiQuery.reviews.ofWorker]
    .flatMap((list) => queryClient.getQueriesData<InfiniteData<ReviewPage>>({ queryKey: list.key() }))
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ items }) => items)
    .find(({ id }) => id === reviewId);
}

export const workerReviews = (workerId: string, look: Look) => ({
  ...apiQuery.reviews.ofWorker.infiniteOptions({
    input: (cursor: string | undefined) => ({ workerId, ...inputOf(look, cursor) }),
    ...pages,
    enabled: workerId !== '',
  }),
  ...neverPersist,
});

export const useWorkerReviews = (workerId: string, look: Look) =>
  useInfiniteQuery(workerReviews(workerId, look));

export function useEngagementReviews(engagementId: string | null) {
  return useQuery({
    ...apiQuery.reviews.ofEngagement.queryOptions({
      input: { engagementId: engagementId ?? '' },
      enabled: engagementId !== null,
    }),
    ...neverPersist,
  });
}

function useChanged() {
  return { onSuccess: () => refetchChanged(['review']) };
}

export const useWriteReview = () =>
  useMutation({ mutationFn: sendOnce('reviews.write', api.reviews.write), ...useChanged() });

export const useEditReview = () =>
  useMutation({ mutationFn: sendOnce('reviews.edit', api.reviews.edit), ...useChanged() });

export const useReplyToReview = () =>
  useMutation({ mutationFn: sendOnce('reviews.reply', api.reviews.reply), ...useChanged() });

export const isEditable = ({ state, closesAt }: OwnReview, now = new Date()): boolean =>
  state === 'submitted' && new Date(closesAt) > now;
