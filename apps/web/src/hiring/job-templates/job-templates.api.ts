import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

export function useSaveTemplate() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.jobTemplates.save.mutationOptions({ onSuccess: () => refetchChanged(client, ['job-template']) }),
  );
}

export function useDeleteTemplate() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.jobTemplates.delete.mutationOptions({
      onSuccess: () => refetchChanged(client, ['job-template']),
    }),
  );
}

export function usePostTemplate() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.jobTemplates.post.mutationOptions({ onSuccess: () => refetchChanged(client, ['job']) }),
  );
}

/** Posts a shift like another one of the business (`roster.add`). */
export function useAddShift() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.roster.add.mutationOptions({ onSuccess: () => refetchChanged(client, ['job']) }),
  );
}
