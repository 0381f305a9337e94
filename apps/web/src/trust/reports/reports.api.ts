import type { Report } from '@nearhand/contract/trust/reports';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useUser } from '../../lib/session.ts';

export function useReports() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.reports.mine.infiniteOptions({
      input: (cursor: string | undefined) => (cursor ? { cursor } : {}),
      ...pages,
      enabled: user?.emailVerified === true,
    }),
  );
}

/** Contests a dismissed report. A retry after a lost response does not contest it twice. */
export const useContestReport = () =>
  useMutation({
    mutationFn: sendOnce('reports.contest', api.reports.contest as never) as (
      input: Parameters<typeof api.reports.contest>[0],
    ) => Promise<Report>,
    onSettled: () => refetchChanged(['report']),
  });

/** Files a report. A retry after a lost response does not file another one. */
export const useCreateReport = () =>
  useMutation({
    mutationFn: sendOnce('reports.create', api.reports.create as never) as (
      input: Parameters<typeof api.reports.create>[0],
    ) => Promise<Report>,
    onSuccess: () => refetchChanged(['report']),
  });
