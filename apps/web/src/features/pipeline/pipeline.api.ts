import type { Candidate } from '@nearhand/contract/pipeline';
import type { WorkerReliability } from '@nearhand/contract/reliability';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { pages, unkept } from '../../lib/query-options.ts';

/** Notes about an applicant, newest first. */
export function useNotes(applicationId: string) {
  return useInfiniteQuery(
    apiQuery.pipeline.notes.infiniteOptions({
      input: (cursor: string | undefined) => ({ applicationId, ...(cursor ? { cursor } : {}) }),
      ...pages,
      ...unkept,
    }),
  );
}

/** After a write about one applicant: their notes, tags and the counts on cards are asked again. */
function useReload(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: apiQuery.pipeline.notes.key() });
    void client.invalidateQueries({ queryKey: apiQuery.pipeline.tags.key() });
    void client.invalidateQueries({ queryKey: apiQuery.applications.applicant.key() });
    void client.invalidateQueries({ queryKey: apiQuery.applications.forJob.key() });
    void client.invalidateQueries({ queryKey: apiQuery.applications.forBusiness.key() });
    void client.invalidateQueries({ queryKey: apiQuery.applications.ofWorker.key() });
  };
}

export const useAddNote = () => {
  const onSuccess = useReload();
  return useMutation(apiQuery.pipeline.addNote.mutationOptions({ onSuccess }));
};
export const useDeleteNote = () => {
  const onSuccess = useReload();
  return useMutation(apiQuery.pipeline.deleteNote.mutationOptions({ onSuccess }));
};
export const useSetTags = () => {
  const onSettled = useReload();
  return useMutation(apiQuery.pipeline.setTags.mutationOptions({ onSettled }));
};

/** Tags in use at a business, most used first. */
export function useTags(businessId: string | undefined) {
  return useQuery(
    apiQuery.pipeline.tags.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
      ...unkept,
    }),
  );
}

/** Who may be invited to a job, best match first. */
export function useCandidates(jobId: string | undefined) {
  const query = useQuery(
    apiQuery.pipeline.candidates.queryOptions({
      input: { jobId: jobId ?? '' },
      enabled: Boolean(jobId),
      ...unkept,
    }),
  );
  return { ...query, data: query.data as Candidate[] | undefined };
}

/** `pipeline.invite`; a repeat changes nothing. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.pipeline.invite.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: apiQuery.pipeline.candidates.key() }),
    }),
  );
}

/** How reliable a worker is, from the facts of a year. */
export function useWorkerReliability(workerId: string | undefined) {
  const query = useQuery(
    apiQuery.reliability.ofWorker.queryOptions({
      input: { workerId: workerId ?? '' },
      enabled: Boolean(workerId),
      ...unkept,
    }),
  );
  return { ...query, data: query.data as WorkerReliability | undefined };
}
