import type { ApplicationInput, MyApplication } from '@nearhand/contract/hiring/applications';
import type { SeriesDate } from '@nearhand/contract/hiring/jobs';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { listedOf } from '../../lib/api/client/listed-of.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { useUser } from '../../lib/session.ts';
import { useJob } from '../jobs/jobs.api.ts';

export type Group = 'live' | 'ended';

const pageInput = (group: Group | undefined, cursor: string | undefined) => ({
  ...(group ? { group } : {}),
  cursor,
});

export const myApplications = (group: Group) =>
  apiQuery.applications.mine.infiniteOptions({
    input: (cursor: string | undefined) => pageInput(group, cursor),
    ...pages,
  });

export function useMyApplications(group: Group) {
  const user = useUser();
  return useInfiniteQuery({ ...myApplications(group), enabled: user?.emailVerified === true });
}

/** One of the worker's applications. Falls back to the list's version while loading and offline. */
export function useMyApplication(applicationId: string | undefined) {
  return useQuery(
    apiQuery.applications.get.queryOptions({
      input: { applicationId: applicationId ?? '' },
      enabled: Boolean(applicationId),
      // The other side can change the application, so the stored version is refetched at once.
      staleTime: 0,
      initialData: () => listedApplication(applicationId)?.item,
      initialDataUpdatedAt: () => listedApplication(applicationId)?.at,
    }),
  );
}

const listedApplication = (applicationId: string | undefined) =>
  listedOf<MyApplication>(apiQuery.applications.mine.key(), applicationId);

/** The shifts of the application's series that the worker applied for, by start; empty for a single shift. */
export function useSeriesDates({ job }: Pick<MyApplication, 'job'>): SeriesDate[] {
  const dates = useJob(job.seriesId === null ? '' : job.id).data?.dates ?? [];
  return dates.filter(({ myApplication }) => myApplication !== null);
}

/** True for an application on this device, and for every one with a network (ADR 341). */
export function useCanShowApplication(): (applicationId: string) => boolean {
  const canShow = useCanShow();
  return (applicationId) =>
    canShow({ queryKey: apiQuery.applications.get.queryKey({ input: { applicationId } }) }) ||
    listedApplication(applicationId) !== null;
}

/** Stores a write's result and refetches what lists or counts it. */
export function cacheApplication(changed: MyApplication): void {
  const key = apiQuery.applications.get.queryKey({ input: { applicationId: changed.id } });
  queryClient.setQueryData(key, changed);
  // An instant hire has also booked work.
  refetchChanged(changed.engagementId ? ['application', 'engagement'] : ['application'], key);
}

export type Submission = ApplicationInput & { jobId: string; book?: boolean; alsoFor?: string[] };

/** Sends an application (`applications.submit`). Idempotent per key. */
export const sendApplication = async (input: Submission, idempotencyKey: string): Promise<MyApplication> =>
  await api.applications.submit(input, { context: { idempotencyKey } });

export const useUpdateApplication = () =>
  useMutation(
    apiQuery.applications.update.mutationOptions({
      onSuccess: cacheApplication,
    }),
  );

export const useWithdrawApplication = () =>
  useMutation(
    apiQuery.applications.withdraw.mutationOptions({
      onSuccess: cacheApplication,
    }),
  );
