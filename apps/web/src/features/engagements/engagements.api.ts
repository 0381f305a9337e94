import type { Engagement, EngagementCard } from '@nearhand/contract/engagements';
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api.ts';
import { isNetworkError } from '../../lib/api-error.ts';
import { pages, unkept } from '../../lib/query-options.ts';
import { useUser } from '../../lib/session.ts';
import { useFresh } from '../../lib/use-fresh.ts';

/** How often what the other side may change is asked again while it is in view. */
const freshMs = 15_000;

/**
 * The hooks of booked work for both sides: engagements, attendance, timesheets and disputes all answer with the whole engagement, so they share one cache.
 */
export type EngagementGroup = 'live' | 'ended';
export type BusinessGroup = 'due' | 'late' | 'here' | 'to_approve' | 'unsettled' | 'ended';
/** What still owes pay lies across the groups and is not counted with them. */
export type ListedGroup = BusinessGroup | 'owed';
export type BusinessCounts = Record<BusinessGroup, number>;

type Page = { items: EngagementCard[]; nextCursor: string | null };
type BusinessPage = Page & { counts: BusinessCounts };

export const engagementsOf = (data: InfiniteData<Page> | undefined): EngagementCard[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];

/** The worker's own booked work, in keyset pages. Not asked while nobody verified is signed in. */
export function useMyEngagements(group: EngagementGroup) {
  const user = useUser();
  const fresh = useFresh(freshMs);
  const query = useInfiniteQuery(
    apiQuery.engagements.mine.infiniteOptions({
      input: (cursor: string | undefined) => ({ group, ...(cursor ? { cursor } : {}) }),
      ...pages,
      enabled: user?.emailVerified === true,
      staleTime: 0,
      ...fresh,
    }),
  );
  return { ...query, data: query.data as InfiniteData<Page> | undefined };
}

/** Work at a business, in keyset pages with the counts of all groups on every page. It names workers, so it stays off the device (ADR 0024). */
export function useBusinessEngagements(
  businessId: string | undefined,
  ask: { group?: ListedGroup; jobId?: string } = {},
) {
  const fresh = useFresh(freshMs);
  const query = useInfiniteQuery(
    apiQuery.engagements.forBusiness.infiniteOptions({
      input: (cursor: string | undefined) => ({
        businessId: businessId ?? '',
        ...ask,
        ...(cursor ? { cursor } : {}),
      }),
      ...pages,
      enabled: Boolean(businessId),
      ...unkept,
      ...fresh,
    }),
  );
  return { ...query, data: query.data as InfiniteData<BusinessPage> | undefined };
}

/** One engagement, whole. The worker's own stays on the device: where to go must be readable without a network. */
export function useEngagement(engagementId: string | undefined, side: 'worker' | 'business') {
  const fresh = useFresh(freshMs);
  const query = useQuery(
    apiQuery.engagements.get.queryOptions({
      input: { engagementId: engagementId ?? '' },
      enabled: Boolean(engagementId),
      // What was kept on the device may be minutes old: it is shown, and asked again at once.
      staleTime: 0,
      // What can be done changes with the clock and with the other side.
      ...fresh,
      ...(side === 'business' ? unkept : {}),
    }),
  );
  return { ...query, data: query.data as Engagement | undefined };
}

/** After a move the answer is the newest truth; lists, calendar, offers and applications follow it. */
export function keepEngagement(client: QueryClient, changed: Engagement): void {
  client.setQueryData(apiQuery.engagements.get.queryKey({ input: { engagementId: changed.id } }), changed);
  void client.invalidateQueries({ queryKey: apiQuery.engagements.mine.key() });
  void client.invalidateQueries({ queryKey: apiQuery.engagements.forBusiness.key() });
  void client.invalidateQueries({ queryKey: apiQuery.calendar.key() });
  void client.invalidateQueries({ queryKey: apiQuery.reliability.key() });
  // A release, a compensation or a return of what was set aside may have gone with it.
  void client.invalidateQueries({ queryKey: apiQuery.payments.key() });
  void client.invalidateQueries({ queryKey: apiQuery.holds.key() });
  void client.invalidateQueries({ queryKey: apiQuery.statements.key() });
}

/** A refusal is often news (somebody else was first), so what is shown is asked again after it. */
function moves(client: QueryClient) {
  return {
    onSuccess: (changed: unknown) => keepEngagement(client, changed as Engagement),
    onError: (error: unknown) => {
      if (!isNetworkError(error)) void client.invalidateQueries({ queryKey: apiQuery.engagements.key() });
    },
  };
}

/** `engagements.confirm`. Worker. */
export const useConfirmEngagement = () =>
  useMutation(apiQuery.engagements.confirm.mutationOptions(moves(useQueryClient())));
/** `engagements.start`: a task. Worker. */
export const useStartEngagement = () =>
  useMutation(apiQuery.engagements.start.mutationOptions(moves(useQueryClient())));
/** `engagements.cancel`, with a reason that the other side reads. Either side. */
export const useCancelEngagement = () =>
  useMutation(apiQuery.engagements.cancel.mutationOptions(moves(useQueryClient())));
/** `engagements.reportNoShow`. Merchant. */
export const useReportNoShowEngagement = () =>
  useMutation(apiQuery.engagements.reportNoShow.mutationOptions(moves(useQueryClient())));
/** `engagements.contest`: a reported no-show. Worker. */
export const useContestEngagement = () =>
  useMutation(apiQuery.engagements.contest.mutationOptions(moves(useQueryClient())));

export type Attendance = 'checkIn' | 'startBreak' | 'endBreak' | 'checkOut';
export type AttendanceInput = {
  engagementId: string;
  at: string;
  sentAt: string;
  position: { lat: number; lng: number; accuracyM: number } | null;
  code: string | null;
};
/** One fact of attendance. With the same key the same one is recorded once, however often it is sent; the queue of `features/attendance` calls it. */
export const sendAttendance = async (
  kind: Attendance,
  input: AttendanceInput,
  idempotencyKey: string,
): Promise<Engagement> =>
  (await api.attendance[kind](input, { context: { idempotencyKey } })) as unknown as Engagement;

/** `attendance.siteCode`: the six digits to show at the place, asked anew when they change. Merchant. */
export function useSiteCode(jobId: string | undefined, shown = true) {
  return useQuery(
    apiQuery.attendance.siteCode.queryOptions({
      input: { jobId: jobId ?? '' },
      enabled: Boolean(jobId) && shown,
      staleTime: 0,
      gcTime: 0,
      ...unkept,
      refetchInterval: (query: { state: { data?: { validUntil: string } | undefined } }) => {
        const until = query.state.data?.validUntil;
        return until ? Math.max(1_000, Date.parse(until) - Date.now() + 500) : 5_000;
      },
    }),
  );
}

/** `timesheets.submitHours`: the hours, or other hours in answer to a counter-proposal. Worker. */
export const useSubmitHours = () =>
  useMutation(apiQuery.timesheets.submitHours.mutationOptions(moves(useQueryClient())));
/** `timesheets.counter`: fewer hours, with a reason. Merchant. */
export const useCounter = () =>
  useMutation(apiQuery.timesheets.counter.mutationOptions(moves(useQueryClient())));
/** `timesheets.acceptCounter`. Worker. */
export const useAcceptCounter = () =>
  useMutation(apiQuery.timesheets.acceptCounter.mutationOptions(moves(useQueryClient())));
/** `timesheets.deliver`: a task, with files stored before under purpose `work`. Worker. */
export const useDeliver = () =>
  useMutation(apiQuery.timesheets.deliver.mutationOptions(moves(useQueryClient())));
/** `timesheets.requestChanges`. Merchant. */
export const useRequestChanges = () =>
  useMutation(apiQuery.timesheets.requestChanges.mutationOptions(moves(useQueryClient())));
/** `timesheets.approve`. Merchant. */
export const useApprove = () =>
  useMutation(apiQuery.timesheets.approve.mutationOptions(moves(useQueryClient())));

/** `disputes.file`. Either side. */
export const useFileDispute = () =>
  useMutation(apiQuery.disputes.file.mutationOptions(moves(useQueryClient())));
/** `disputes.answer`: the other side says what it holds to be right. */
export const useAnswerDispute = () =>
  useMutation(apiQuery.disputes.answer.mutationOptions(moves(useQueryClient())));
/** `disputes.propose`: an amount to settle on. Either side. */
export const useProposeDispute = () =>
  useMutation(apiQuery.disputes.propose.mutationOptions(moves(useQueryClient())));
/** `disputes.acceptProposal`. The side that did not propose. */
export const useAcceptProposalDispute = () =>
  useMutation(apiQuery.disputes.acceptProposal.mutationOptions(moves(useQueryClient())));
