import type { Job } from '@nearhand/contract/hiring/jobs';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { unkept } from '../../lib/query-options.ts';
import { useUser } from '../../lib/session.ts';

/** What the signed-in worker is booked, invited and asked for in a range of at most 93 days. It stays on the device: where to be must be readable without a network.
 * Null asks nothing. */
export function useCalendar(range: { from: string; to: string } | null) {
  const user = useUser();
  const query = useQuery(
    apiQuery.calendar.mine.queryOptions({
      input: range ?? { from: '', to: '' },
      enabled: range !== null && user?.emailVerified === true,
    }),
  );
  return { ...query, data: query.data };
}

/** What in the own calendar stands against the hours of a job. Asked anew on each visit: bookings change by the minute. */
export function useConflicts(jobId: string | undefined) {
  const user = useUser();
  const query = useQuery(
    apiQuery.calendar.conflicts.queryOptions({
      input: { jobId: jobId ?? '' },
      enabled: Boolean(jobId) && user?.emailVerified === true,
      staleTime: 30_000,
      ...unkept,
    }),
  );
  return { ...query, data: query.data };
}

/**
 * Whether booked work stands in the way of a job that hires on the spot: being hired at once would be refused, so applying would be too. False while
 * that is not known: the server decides.
 */
export function useCannotBeHired(job: Pick<Job, 'id' | 'instantHire'> | undefined): boolean {
  const { data } = useConflicts(job?.instantHire ? job.id : undefined);
  return job?.instantHire === true && (data ?? []).some(({ kind }) => kind === 'engagement');
}

/** Whether a subscription address is in use, and since when. */
export function useCalendarFeed() {
  const user = useUser();
  const query = useQuery(
    apiQuery.calendar.feed.queryOptions({ enabled: user?.emailVerified === true, ...unkept }),
  );
  return { ...query, data: query.data as { since: string | null } | undefined };
}

/** `calendar.newFeed`: its answer holds the address, which is told this once and kept nowhere. */
export function useNewCalendarFeed() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.calendar.newFeed.mutationOptions({
      gcTime: 0,
      onSuccess: ({ since }) => client.setQueryData(apiQuery.calendar.feed.queryKey(), { since }),
    }),
  );
}

/** `calendar.stopFeed`: programs that read the address get nothing from now on. */
export function useStopCalendarFeed() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.calendar.stopFeed.mutationOptions({
      onSuccess: (answer) => client.setQueryData(apiQuery.calendar.feed.queryKey(), answer),
    }),
  );
}
