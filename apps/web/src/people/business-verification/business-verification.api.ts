import type { BusinessDocumentKind } from '@nearhand/contract/people/business-verification.rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';

export const useBusinessVerification = (businessId: string) =>
  useQuery(
    apiQuery.businessVerification.get.queryOptions({ input: { businessId }, staleTime: 0, ...neverPersist }),
  );

export function useProofChanges(businessId: string) {
  const key = apiQuery.businessVerification.get.queryKey({ input: { businessId } });
  const keep = {
    onSuccess: (view: Awaited<ReturnType<typeof api.businessVerification.get>>) => {
      queryClient.setQueryData(key, view);
      refetchChanged(['business'], key);
    },
  };
  return {
    /** The key belongs to the file, so that a retry stores it once. */
    addDocument: useMutation({
      mutationFn: async (document: { file: File; kind: BusinessDocumentKind; idempotencyKey: string }) => {
        const { file, kind, idempotencyKey } = document;
        const documentFile = await uploadFile({ purpose: 'business', file, name: file.name, idempotencyKey });
        return api.businessVerification.addDocument({ businessId, fileId: documentFile.id, kind });
      },
      ...keep,
    }),
    removeDocument: useMutation(apiQuery.businessVerification.removeDocument.mutationOptions(keep)),
    startDomain: useMutation(apiQuery.businessVerification.startDomain.mutationOptions(keep)),
    checkDomain: useMutation(apiQuery.businessVerification.checkDomain.mutationOptions(keep)),
  };
}
