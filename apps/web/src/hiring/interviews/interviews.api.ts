import type { Interview } from '@nearhand/contract/hiring/interviews';
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { isNetworkError } from '../../lib/api-error.ts';
import { refetchChanged } from '../../lib/changed-records.ts';
import { pages, unkept } from '../../lib/query-options.ts';
import { useUser } from '../../lib/session.ts';

export type InterviewGroup = 'to_answer' | 'upcoming' | 'past';
/** Whose interviews: the own ones as a worker, those of a business for its recruiters, or none while that is not known. */
export type InterviewsOf = 'worker' | { businessId: string } | null;

type Page = { items: Interview[]; nextCursor: string | null };

export const interviewsOf = (data: InfiniteData<Page> | undefined): Interview[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];

/** Interviews of one side in keyset pages: to come soonest first, past latest first. Not asked while nobody verified is signed in. */
export function useInterviews(of: InterviewsOf, group?: InterviewGroup) {
  const user = useUser();
  const businessId = of !== null && of !== 'worker' ? of.businessId : undefined;
  const query = useInfiniteQuery(
    apiQuery.interviews.mine.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...(businessId ? { businessId } : {}),
        ...(group ? { group } : {}),
        ...(cursor ? { cursor } : {}),
      }),
      ...pages,
      enabled: of !== null && user?.emailVerified === true,
      // What a merchant reads of other people stays off the device (ADR 0024); a worker must find the address without a network.
      ...(businessId ? unkept : {}),
    }),
  );
  return { ...query, data: query.data as InfiniteData<Page> | undefined };
}

/** One interview, for both sides. `known` is shown until the newest is there. */
export function useInterview(interviewId: string | null | undefined, known?: Interview) {
  const user = useUser();
  const query = useQuery(
    apiQuery.interviews.get.queryOptions({
      input: { interviewId: interviewId ?? '' },
      enabled: Boolean(interviewId) && user?.emailVerified === true,
      staleTime: 5_000,
      ...unkept,
      ...(known ? { placeholderData: () => known } : {}),
    }),
  );
  return { ...query, data: query.data };
}

/**
 * After a move the answer is the newest truth; lists, calendar and the application follow it. One that nobody has opened yet is loaded when it is: put here, it
 * would be without its `keep: false` and stay on the device.
 */
function keepInterview(client: QueryClient, changed: Interview): void {
  const key = apiQuery.interviews.get.queryKey({ input: { interviewId: changed.id } });
  client.setQueryData(key, (before) => before && changed);
  refetchChanged(client, ['interview'], key);
}

/** A refusal is often news (somebody else was first, the time has passed), so what is shown is asked again after it. */
function moves(client: QueryClient) {
  return {
    onSuccess: (changed: Interview) => keepInterview(client, changed),
    onError: (error: unknown) => {
      if (!isNetworkError(error)) refetchChanged(client, ['interview']);
    },
  };
}

/** `interviews.propose`: one to five times. Merchant. */
export const useProposeInterview = () =>
  useMutation(apiQuery.interviews.propose.mutationOptions(moves(useQueryClient())));
/** `interviews.pick`: one of the times on the table. Whoever is asked. */
export const usePickInterview = () =>
  useMutation(apiQuery.interviews.pick.mutationOptions(moves(useQueryClient())));
/** `interviews.reschedule`: other times. Either side. */
export const useRescheduleInterview = () =>
  useMutation(apiQuery.interviews.reschedule.mutationOptions(moves(useQueryClient())));
/** `interviews.keep`: the old time stands. Either side. */
export const useKeepInterview = () =>
  useMutation(apiQuery.interviews.keep.mutationOptions(moves(useQueryClient())));
/** `interviews.cancel`, with a reason if they like. Either side. */
export const useCancelInterview = () =>
  useMutation(apiQuery.interviews.cancel.mutationOptions(moves(useQueryClient())));
/** `interviews.complete`: what came of it, and notes of the business's own. Merchant. */
export const useCompleteInterview = () =>
  useMutation(apiQuery.interviews.complete.mutationOptions(moves(useQueryClient())));
/** `interviews.reportNoShow`: the other side did not come. Either side. */
export const useReportInterviewNoShow = () =>
  useMutation(apiQuery.interviews.reportNoShow.mutationOptions(moves(useQueryClient())));
/** `interviews.contest`: the answer to a reported no-show. The side that was reported. */
export const useContestInterview = () =>
  useMutation(apiQuery.interviews.contest.mutationOptions(moves(useQueryClient())));
