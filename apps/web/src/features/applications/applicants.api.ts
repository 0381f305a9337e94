import type { Applicant } from '@nearhand/contract/applications';
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';

export type ApplicantGroup = 'live' | 'ended';
type ApplicantPage = { items: Applicant[]; nextCursor: string | null };

/** What merchants read of other people stays off the device once they leave (`meta.keep`). */
const notKept = { meta: { keep: false } };

/** Who applied for one job, newest first, in keyset pages. */
export function useJobApplicants(jobId: string, group: ApplicantGroup) {
  return useInfiniteQuery(
    apiQuery.applications.forJob.infiniteOptions({
      input: (cursor: string | undefined) => ({ jobId, group, ...(cursor ? { cursor } : {}) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      enabled: jobId !== '',
      ...notKept,
    }),
  );
}

/** Who applied over all jobs of a business, newest first, in keyset pages. */
export function useBusinessApplicants(businessId: string | undefined, group: ApplicantGroup) {
  return useInfiniteQuery(
    apiQuery.applications.forBusiness.infiniteOptions({
      input: (cursor: string | undefined) => ({
        businessId: businessId ?? '',
        group,
        ...(cursor ? { cursor } : {}),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      enabled: Boolean(businessId),
      ...notKept,
    }),
  );
}

/** What one worker sent to the own businesses, newest first. */
export function useWorkerApplications(workerId: string) {
  return useQuery(
    apiQuery.applications.ofWorker.queryOptions({
      input: { workerId },
      enabled: workerId !== '',
      ...notKept,
    }),
  );
}

/** A worker as a merchant may see them, once they applied. */
export function useWorker(workerId: string) {
  return useQuery(
    apiQuery.profiles.worker.queryOptions({ input: { workerId }, enabled: workerId !== '', ...notKept }),
  );
}

function keepApplicant(client: QueryClient, seen: Applicant): void {
  const put = (page: ApplicantPage): ApplicantPage => ({
    ...page,
    items: page.items.map((one) => (one.id === seen.id ? seen : one)),
  });
  for (const key of [apiQuery.applications.forJob.key(), apiQuery.applications.forBusiness.key()]) {
    client.setQueriesData<InfiniteData<ApplicantPage>>({ queryKey: key }, (before) =>
      before ? { ...before, pages: before.pages.map(put) } : before,
    );
  }
  client.setQueriesData<Applicant[]>({ queryKey: apiQuery.applications.ofWorker.key() }, (before) =>
    before?.map((one) => (one.id === seen.id ? seen : one)),
  );
  // Counts of new applicants stand on jobs and businesses.
  void client.invalidateQueries({ queryKey: apiQuery.jobs.listed.key() });
  void client.invalidateQueries({ queryKey: apiQuery.businesses.mine.key() });
}

/** Marks an application as seen; the worker is told, and it can no longer be edited. */
export function useViewApplication() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.applications.view.mutationOptions({
      onSuccess: (seen) => keepApplicant(client, seen as Applicant),
    }),
  );
}
