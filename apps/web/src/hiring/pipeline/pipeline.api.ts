import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { type ApplicantScope, freshMs } from '../applicants/applicants.api.ts';

export function useNotes(applicationId: string) {
  return useInfiniteQuery(
    apiQuery.pipeline.notes.infiniteOptions({
      input: (cursor: string | undefined) => ({ applicationId, cursor }),
      ...pages,
      ...neverPersist,
    }),
  );
}

function reloadPipeline(): void {
  void queryClient.invalidateQueries({ queryKey: apiQuery.pipeline.notes.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.pipeline.tags.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.applicants.get.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.applicants.ofJob.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.applicants.ofBusiness.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.applicants.ofWorker.key() });
}

export const useAddNote = () =>
  useMutation(apiQuery.pipeline.addNote.mutationOptions({ onSuccess: reloadPipeline }));
export const useDeleteNote = () =>
  useMutation(apiQuery.pipeline.deleteNote.mutationOptions({ onSuccess: reloadPipeline }));
export const useSetTags = () =>
  useMutation(apiQuery.pipeline.setTags.mutationOptions({ onSettled: reloadPipeline }));

export function useTags(businessId: string | undefined) {
  return useQuery(
    apiQuery.pipeline.tags.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
      ...neverPersist,
    }),
  );
}

export function useBoard(scope: ApplicantScope | null) {
  const fresh = useFresh(freshMs);
  const ofJob = apiQuery.pipeline.board.queryOptions({
    input: { jobId: scope && 'jobId' in scope ? scope.jobId : '' },
    ...neverPersist,
  });
  const ofBusiness = apiQuery.pipeline.boardOfBusiness.queryOptions({
    input: { businessId: scope && 'businessId' in scope ? scope.businessId : '' },
    ...neverPersist,
  });
  const options = scope && 'businessId' in scope ? ofBusiness : ofJob;
  return useQuery({ ...(options as typeof ofJob), enabled: scope !== null, ...fresh });
}
