import type { Interview } from '@nearhand/contract/hiring/interviews';
import type { Page } from '@nearhand/contract/operation';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { listedOf } from '../../lib/api/client/listed-of.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { useUser } from '../../lib/session.ts';

export type InterviewGroup = 'to_answer' | 'upcoming' | 'past';
export type InterviewsOf = 'worker' | { businessId: string } | null;

export const flattenInterviews = (data: InfiniteData<Page<Interview>> | undefined): Interview[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];

/** The query of a worker's own interviews, stored on the device: the address must be available offline. */
export const myInterviews = (group?: InterviewGroup) => interviewsQuery(undefined, group);

const interviewsQuery = (businessId: string | undefined, group: InterviewGroup | undefined) =>
  apiQuery.interviews.mine.infiniteOptions({
    input: (cursor: string | undefined) => ({
      businessId: businessId || undefined,
      group: group || undefined,
      cursor,
    }),
    ...pages,
    // A business's data about others is not stored on the device (ADR 34).
    ...(businessId ? neverPersist : {}),
  });

/** One side's interviews in keyset pages. Disabled until a verified user is signed in. */
export function useInterviews(owner: InterviewsOf, group?: InterviewGroup) {
  const user = useUser();
  const businessId = owner !== null && owner !== 'worker' ? owner.businessId : undefined;
  return useInfiniteQuery({
    ...interviewsQuery(businessId, group),
    enabled: owner !== null && user?.emailVerified === true,
  });
}

const listedInterview = (interviewId: string | null | undefined) =>
  listedOf<Interview>(apiQuery.interviews.mine.key(), interviewId);

export function useCanShowInterview(): (interviewId: string) => boolean {
  const canShow = useCanShow();
  return (interviewId) =>
    canShow({ queryKey: apiQuery.interviews.get.queryKey({ input: { interviewId } }) }) ||
    listedInterview(interviewId) !== null;
}

/** One interview, for both sides. Falls back to the list's version while loading and offline. */
export function useInterview(interviewId: string | null | undefined) {
  const user = useUser();
  return useQuery(
    apiQuery.interviews.get.queryOptions({
      input: { interviewId: interviewId ?? '' },
      enabled: Boolean(interviewId) && user?.emailVerified === true,
      staleTime: 5_000,
      ...neverPersist,
      initialData: () => listedInterview(interviewId)?.item,
      initialDataUpdatedAt: () => listedInterview(interviewId)?.at,
    }),
  );
}

/** Stores a move's result. An unopened interview would lack its `keep: false` and stay on the device. */
function cacheInterview(changed: Interview): void {
  const key = apiQuery.interviews.get.queryKey({ input: { interviewId: changed.id } });
  queryClient.setQueryData(key, (before) => before && changed);
  refetchChanged(['interview'], key);
}

/** A refusal often means that something changed, so the interview is refetched. */
const move = {
  onSuccess: (changed: Interview) => cacheInterview(changed),
  onError: (error: unknown) => {
    if (!isNetworkError(error)) refetchChanged(['interview']);
  },
};

/** Proposes times (`interviews.propose`). For the business. */
export const useProposeInterview = () =>
  useMutation({ mutationFn: sendOnce('interviews.propose', api.interviews.propose), ...move });
/** Picks one of the proposed times (`interviews.pick`). For the side whose turn it is. */
export const usePickInterview = () => useMutation(apiQuery.interviews.pick.mutationOptions(move));
/** Answers proposed times with others (`interviews.suggest`). For the side whose turn it is. */
export const useSuggestInterviewTimes = () => useMutation(apiQuery.interviews.suggest.mutationOptions(move));
export const useRescheduleInterview = () => useMutation(apiQuery.interviews.reschedule.mutationOptions(move));
export const useKeepInterview = () => useMutation(apiQuery.interviews.keep.mutationOptions(move));
export const useCancelInterview = () => useMutation(apiQuery.interviews.cancel.mutationOptions(move));
/** Records the outcome and private notes (`interviews.complete`). For the business. */
export const useCompleteInterview = () => useMutation(apiQuery.interviews.complete.mutationOptions(move));
/** Reports that the other side did not come (`interviews.reportNoShow`). For either side. */
export const useReportInterviewNoShow = () =>
  useMutation(apiQuery.interviews.reportNoShow.mutationOptions(move));
/** Contests a reported no-show (`interviews.contest`). For the reported side. */
export const useContestInterview = () => useMutation(apiQuery.interviews.contest.mutationOptions(move));
