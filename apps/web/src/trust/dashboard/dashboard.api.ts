import type { Currency } from '@nearhand/contract/currencies';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBusinessApplicants } from '../../hiring/applicants/applicants.api.ts';
import type { useListedJobs } from '../../hiring/jobs/jobs.api.ts';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { useWallet } from '../../money/wallet/wallet.api.ts';
import { engagementsOf, useBusinessEngagements } from '../../work/engagements/engagements.api.ts';
import { useReviewsDue } from '../../work/engagements/review-links.tsx';

export const useBusinessFigures = (businessId: string, months: number, currency?: Currency) =>
  useQuery(figuresQuery(businessId, months, currency));

export const figuresQuery = (businessId: string, months: number, currency?: Currency) =>
  apiQuery.dashboard.figures.queryOptions({
    input: { businessId, months, currency: currency || undefined },
    ...neverPersist,
  });

/** Stops after 200 applicants; the applicant list shows the rest. */
const maxPages = 10;
/** Later pages may still move rows, but don't delay the dashboard. */
const pagesBeforeDrawing = 3;

/** All live applicants of a business: the server doesn't sort by the decide-by deadline. */
export function useApplicantsToDecide(businessId: string | undefined) {
  const query = useBusinessApplicants(businessId, 'live');
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const loaded = query.data?.pages.length ?? 0;
  const hasMore = hasNextPage && loaded < maxPages;
  useEffect(() => {
    if (hasMore && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [hasMore, isFetching, isError, fetchNextPage]);
  return { ...query, isSorting: hasMore && !isError && loaded < pagesBeforeDrawing };
}

const shownLate = 3;

/** Counts the people who are late for a shift, with the first few of them. Reads their list only if there is someone. */
export function useLateWork(businessId: string | undefined) {
  const counted = useBusinessEngagements(businessId, { group: 'here' });
  const count = counted.data?.pages[0]?.counts?.late ?? 0;
  const list = useBusinessEngagements(count > 0 ? businessId : undefined, { group: 'late' });
  return {
    count,
    work: count > 0 ? engagementsOf(list.data).slice(0, shownLate) : [],
    isLoaded: counted.data !== undefined && (count === 0 || list.data !== undefined),
    query: count > 0 ? list : counted,
  };
}

/** True until the first load of all the cards, since a card that arrives later would move the others. */
export function useDeskLoading(
  businessId: string,
  recruits: boolean,
  open: ReturnType<typeof useListedJobs>,
): boolean {
  const { isSorting, isLoading, failureCount } = useApplicantsToDecide(recruits ? businessId : undefined);
  return useFirstLoading(
    open,
    useWallet(businessId),
    useLateWork(recruits ? businessId : undefined).query,
    useBusinessEngagements(businessId, { group: 'to_approve' }),
    useReviewsDue(businessId, recruits).query,
    { isLoading: isLoading || isSorting, failureCount },
  );
}
