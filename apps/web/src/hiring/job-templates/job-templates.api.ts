import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';

export function useJobTemplates(businessId: string | undefined) {
  return useQuery(
    apiQuery.jobTemplates.list.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
    }),
  );
}

export const useSaveTemplate = () =>
  useMutation(
    apiQuery.jobTemplates.save.mutationOptions({ onSuccess: () => refetchChanged(['job-template']) }),
  );

export const useDeleteTemplate = () =>
  useMutation(
    apiQuery.jobTemplates.delete.mutationOptions({
      onSuccess: () => refetchChanged(['job-template']),
    }),
  );

export const usePostTemplate = () =>
  useMutation(apiQuery.jobTemplates.post.mutationOptions({ onSuccess: () => refetchChanged(['job']) }));

/** Posts a shift like another one of the business (`roster.add`). */
export const useAddShift = () =>
  useMutation(apiQuery.roster.add.mutationOptions({ onSuccess: () => refetchChanged(['job']) }));
