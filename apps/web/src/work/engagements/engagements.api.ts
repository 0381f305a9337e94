import type { BusinessWorkGroup } from '@nearhand/contract/engagement-statuses';
import type { Page } from '@nearhand/contract/operation';
import type { Engagement, EngagementCard } from '@nearhand/contract/work/engagements';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages, persistForDay } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useUser } from '../../lib/session.ts';

const freshMs = 15_000;

export type EngagementGroup = 'live' | 'ended';
/** `owed` cuts across the groups and isn't counted. */
type ListedGroup = BusinessWorkGroup | 'owed';

export const engagementsOf = (data: InfiniteData<Page<EngagementCard>> | undefined): EngagementCard[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];

export const myEngagements = (group: EngagementGroup) =>
  apiQuery.engagements.mine.infiniteOptions({
    input: (cursor: string | undefined) => ({ group, cursor }),
    ...pages,
    staleTime: 0,
  });

export const oneEngagement = (engagementId: string) =>
  // Shows a persisted copy and refetches it at once.
  apiQuery.engagements.get.queryOptions({ input: { engagementId }, staleTime: 0 });

export function useMyEngagements(group: EngagementGroup) {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useInfiniteQuery({
    ...myEngagements(group),
    enabled: user?.emailVerified === true,
    ...fresh,
  });
}

type Ask = { group?: ListedGroup; jobId?: string; limit?: number };
const onShift: readonly (ListedGroup | undefined)[] = ['due', 'late', 'here'];

/** A business's work with counts. It names workers, so only the current shift is stored, for a day (ADR 272). */
export const businessEngagements = (businessId: string, ask: Ask = {}) =>
  apiQuery.engagements.forBusiness.infiniteOptions({
    input: (cursor: string | undefined) => ({ businessId, ...ask, cursor }),
    ...pages,
    ...(onShift.includes(ask.group) ? persistForDay : neverPersist),
  });

/** All work whose hours or delivery await approval. */
export const workToApprove = { group: 'to_approve', limit: 100 } as const satisfies Ask;

export function useBusinessEngagements(businessId: string | undefined, ask: Ask = {}) {
  const fresh = useFresh(freshMs);
  return useInfiniteQuery({
    ...businessEngagements(businessId ?? '', ask),
    enabled: Boolean(businessId),
    ...fresh,
  });
}

/** One engagement. The worker's own is persisted, so the place can be read offline; a business's for a day. */
export function useEngagement(engagementId: string | undefined, side: 'worker' | 'business') {
  const fresh = useFresh(freshMs);
  return useQuery({
    ...oneEngagement(engagementId ?? ''),
    enabled: Boolean(engagementId),
    ...fresh,
    ...(side === 'business' ? persistForDay : {}),
  });
}

/**
 * Stores the engagement returned by a move, in the worker's lists too. A read from before the move, answered later,
 * must not replace it.
 */
export function storeEngagement(changed: Engagement): void {
  const { queryKey } = oneEngagement(changed.id);
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, changed);
  if (changed.side !== 'worker') return;
  const lists = apiQuery.engagements.mine.key();
  void queryClient.cancelQueries({ queryKey: lists });
  queryClient.setQueriesData<InfiniteData<Page<EngagementCard>>>(
    { queryKey: lists },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((card) => (card.id === changed.id ? cardOf(card, changed) : card)),
        })),
      },
  );
}

/** The card with the values of the whole engagement, which has more than lists may store. */
const cardOf = (card: EngagementCard, changed: Engagement): EngagementCard => ({
  ...card,
  ...Object.fromEntries(Object.entries(changed).filter(([field]) => field in card)),
});

/** Stores the engagement returned by a move and invalidates what depends on it. */
export function cacheEngagement(changed: Engagement): void {
  storeEngagement(changed);
  // The move may have released, compensated or returned money.
  refetchChanged(['engagement', 'wallet'], oneEngagement(changed.id).queryKey);
}

/** Mutation options of a move. A refusal often means someone else was first, so data is refetched after it. */
export const engagementMove = {
  onSuccess: (changed: Engagement) => cacheEngagement(changed),
  onError: (error: unknown) => {
    if (!isNetworkError(error)) refetchChanged(['engagement']);
  },
};

export const useConfirmEngagement = () =>
  useMutation(apiQuery.engagements.confirm.mutationOptions(engagementMove));
export const useStartEngagement = () =>
  useMutation(apiQuery.engagements.start.mutationOptions(engagementMove));
/** Cancels an engagement, with a reason for the other side (`engagements.cancel`). For either side. */
export const useCancelEngagement = () =>
  useMutation(apiQuery.engagements.cancel.mutationOptions(engagementMove));
/** The cost of cancelling at this moment. `freeUntil` is null once the free minutes have ended. */
export function useCancellationCost({
  cancelling,
}: Engagement): Omit<NonNullable<Engagement['cancelling']>, 'setAsideAgain'> {
  const now = useNow(30_000, cancelling?.freeUntil);
  if (!cancelling) return { late: false, compensationMinor: 0, freeUntil: null };
  const isFree = cancelling.freeUntil !== null && now < new Date(cancelling.freeUntil);
  return isFree
    ? { late: false, compensationMinor: 0, freeUntil: cancelling.freeUntil }
    : { late: cancelling.late, compensationMinor: cancelling.compensationMinor, freeUntil: null };
}
export const useReportNoShowEngagement = () =>
  useMutation(apiQuery.engagements.reportNoShow.mutationOptions(engagementMove));
export const useContestEngagement = () =>
  useMutation(apiQuery.engagements.contest.mutationOptions(engagementMove));
