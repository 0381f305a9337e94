import type { Job, ListedSort } from '@nearhand/contract/hiring/jobs';
import type { JobStanding } from '@nearhand/contract/hiring/jobs.rules';
import { lackedSkills } from '@nearhand/contract/hiring/matching.rules';
import { coarse } from '@nearhand/contract/people/coarse-place';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { type Query, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { isOnline, useOnline } from '../../lib/device/online.ts';
import { useUser } from '../../lib/session.ts';

type From = { lat: number; lng: number } | null;

export const jobQuery = (jobId: string, from?: From) =>
  apiQuery.jobs.get.queryOptions({
    input: { jobId, lat: from ? coarse(from.lat) : undefined, lng: from ? coarse(from.lng) : undefined },
  });

export function useJob(jobId: string, from?: From) {
  // Offline, a job read from another place is shown without its distance.
  const elsewhere = () => (isOnline() ? undefined : jobsOnDevice(jobId).find(({ state }) => state.data));
  const unplaced = (job: Job | undefined) => job && { ...job, distanceM: null };
  return useQuery({
    ...jobQuery(jobId, from),
    enabled: jobId !== '',
    initialData: () => unplaced(elsewhere()?.state.data),
    initialDataUpdatedAt: () => elsewhere()?.state.dataUpdatedAt,
  });
}

const jobsOnDevice = (jobId: string) =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: apiQuery.jobs.get.key({ input: { jobId }, type: 'query' }) })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt) as Query<Job>[];

/** True for a job on this device, and for every job with a network (ADR 341). */
export function useCanShowJob(): (jobId: string) => boolean {
  const online = useOnline();
  return (jobId) => online || jobsOnDevice(jobId).some(({ state }) => state.data !== undefined);
}

export function useSimilarJobs(jobId: string, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery(apiQuery.jobs.similar.queryOptions({ input: { jobId }, enabled: enabled && jobId !== '' }));
}

export function useBusinessProfile(businessId: string | undefined) {
  return useQuery(
    apiQuery.businesses.profile.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
    }),
  );
}

/** Null for guests and until the profile is loaded, since there is no profile to compare with. */
export function useMySkills(): ReadonlySet<SkillId> | null {
  const user = useUser();
  const { data } = useQuery(apiQuery.profiles.mine.queryOptions({ enabled: user !== null }));
  return useMemo(() => data && new Set(data.skills.map(({ skill }) => skill)), [data]) ?? null;
}

/** True if applying would probably hire the worker instantly; the server decides when they press. */
export function useWouldHireInstantly(job: Job | undefined): boolean {
  const mySkills = useMySkills();
  if (!job?.instantHire || !job.funded || job.spotsLeft < 1) return false;
  return lackedSkills(job.skills, [...(mySkills ?? [])]).length === 0;
}

type ListedFilters = {
  status?: JobStanding;
  branchId?: string;
  q?: string;
  sort?: ListedSort;
  /** True to list each series once. */
  grouped?: boolean;
};

export const listedJobs = (businessId: string, { status, branchId, q, sort, grouped }: ListedFilters = {}) =>
  apiQuery.jobs.listed.infiniteOptions({
    input: (cursor: string | undefined) => ({
      businessId,
      status: status || undefined,
      branchId: branchId || undefined,
      q: q || undefined,
      sort: sort || undefined,
      grouped: grouped ? ('true' as const) : undefined,
      cursor,
    }),
    ...pages,
  });

/** All shifts of a series that match, soonest first: one page, since a series has at most 60. */
export const seriesShifts = (
  businessId: string,
  seriesId: string,
  { status, branchId, q }: Pick<ListedFilters, 'status' | 'branchId' | 'q'>,
) =>
  apiQuery.jobs.listed.queryOptions({
    input: {
      businessId,
      seriesId,
      sort: 'soonest',
      limit: 100,
      status: status || undefined,
      branchId: branchId || undefined,
      q: q || undefined,
    },
    ...neverPersist,
  });

/** The shifts of a job's series that have not started, by start, for its business; empty for a single job. */
export const plannedShifts = (jobId: string) =>
  apiQuery.jobs.series.queryOptions({ input: { jobId }, staleTime: 0, ...neverPersist });

export const useListedJobs = (businessId: string | undefined, filters: ListedFilters = {}) =>
  useInfiniteQuery({ ...listedJobs(businessId ?? '', filters), enabled: Boolean(businessId) });

function cacheJob(changed: Job): void {
  queryClient.setQueriesData<Job>({ queryKey: apiQuery.jobs.get.key() }, (cached) =>
    cached?.id === changed.id ? { ...changed, distanceM: cached.distanceM } : cached,
  );
  refetchLists();
}

function refetchLists(): void {
  refetchChanged(['job']);
}

export const useUpdateJob = () => useMutation(apiQuery.jobs.update.mutationOptions({ onSuccess: cacheJob }));

export const usePublishJob = () =>
  useMutation(apiQuery.jobs.publish.mutationOptions({ onSuccess: cacheJob }));

export const usePauseJob = () => useMutation(apiQuery.jobs.pause.mutationOptions({ onSuccess: cacheJob }));

export const useReopenJob = () => useMutation(apiQuery.jobs.reopen.mutationOptions({ onSuccess: cacheJob }));

export const useCloseJob = () => useMutation(apiQuery.jobs.close.mutationOptions({ onSuccess: cacheJob }));

export const useArchiveJob = () =>
  useMutation(apiQuery.jobs.archive.mutationOptions({ onSuccess: cacheJob }));

export const useDuplicateJob = () =>
  useMutation(apiQuery.jobs.duplicate.mutationOptions({ onSuccess: cacheJob }));

export const useDeleteDraft = () =>
  useMutation(apiQuery.jobs.deleteDraft.mutationOptions({ onSuccess: refetchLists }));
