import { dayMs } from '@nearhand/contract/durations';
import type { CalendarEvent, Conflict } from '@nearhand/contract/hiring/calendar';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { combineQueries } from '../../lib/pages/initial-query-state.ts';
import { useUser } from '../../lib/session.ts';

/** The worker's calendar in a range of at most 93 days, stored on the device to be readable offline. */
export function useCalendar(range: { from: string; to: string } | null) {
  const user = useUser();
  return useQuery(
    apiQuery.calendar.mine.queryOptions({
      input: range ?? { from: '', to: '' },
      enabled: range !== null && user?.emailVerified === true,
    }),
  );
}

type Span = { startsAt: string | null; endsAt: string | null };

/** Starts at midnight UTC, so that all lists of a day share one request. */
function comingDays(now = Date.now()): { from: string; to: string } {
  const from = Math.floor(now / dayMs) * dayMs;
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + (hiringLimits.calendarRangeDays - 1) * dayMs).toISOString(),
  };
}

function findBookedWork(events: readonly CalendarEvent[], { startsAt, endsAt }: Span): CalendarEvent | null {
  if (!startsAt || !endsAt) return null;
  return (
    events.find(
      (event) =>
        event.kind === 'engagement' &&
        Date.parse(event.startsAt) < Date.parse(endsAt) &&
        Date.parse(event.endsAt) > Date.parse(startsAt),
    ) ?? null
  );
}

/** Finds the worker's booked work at the time of a shift, as far as the calendar reaches. */
export function useBookedWork(enabled = true): (span: Span) => CalendarEvent | null {
  const { data = [] } = useCalendar(enabled ? comingDays() : null);
  return (span) => findBookedWork(data, span);
}

/** Finds booked work at the times of these shifts, however far ahead, once the whole calendar has loaded. */
export function useBookedWorkAt(spans: readonly Span[]) {
  const end = Math.max(...spans.map(({ endsAt }) => Date.parse(endsAt ?? '') || 0));
  const ranges = [comingDays()];
  for (let last = ranges[0]; last && Date.parse(last.to) < end; last = ranges.at(-1))
    ranges.push(comingDays(Date.parse(last.to)));
  const query = useQueries({
    queries: ranges.map((input) => apiQuery.calendar.mine.queryOptions({ input })),
    combine: combineQueries<CalendarEvent[]>,
  });
  const events = query.data?.flat();
  return { ...query, data: events && ((span: Span) => findBookedWork(events, span)) };
}

/** Conflicts of a job's hours with the worker's calendar. Refetched on each visit: bookings change by the minute. */
export function useConflicts(jobId: string | undefined) {
  const user = useUser();
  return useQuery(
    apiQuery.calendar.conflicts.queryOptions({
      input: { jobId: jobId ?? '' },
      enabled: Boolean(jobId) && user?.emailVerified === true,
      staleTime: 30_000,
      ...neverPersist,
    }),
  );
}

/** A conflict with a record of the worker's calendar. */
type RecordConflict = Extract<Conflict, { id: string }>;

export const isHard = (conflict: Conflict): conflict is RecordConflict => conflict.kind === 'engagement';

/**
 * The booked work that prevents applying. Null if there is none or it is not known yet, since the server
 * decides.
 */
export function useHardConflict(job: Pick<Job, 'id'> | undefined): RecordConflict | null {
  const { data } = useConflicts(job?.id);
  return data?.find(isHard) ?? null;
}

export function useCalendarFeed() {
  const user = useUser();
  return useQuery(
    apiQuery.calendar.feed.queryOptions({ enabled: user?.emailVerified === true, ...neverPersist }),
  );
}

/** `calendar.newFeed`: only its response contains the address, which is stored nowhere. */
export const useNewCalendarFeed = () =>
  useMutation({
    ...apiQuery.calendar.newFeed.mutationOptions({
      gcTime: 0,
      onSuccess: ({ since }) => queryClient.setQueryData(apiQuery.calendar.feed.queryKey(), { since }),
    }),
    mutationFn: withRecentProof(api.calendar.newFeed),
  });

export const useStopCalendarFeed = () =>
  useMutation(
    apiQuery.calendar.stopFeed.mutationOptions({
      onSuccess: (response) => queryClient.setQueryData(apiQuery.calendar.feed.queryKey(), response),
    }),
  );
