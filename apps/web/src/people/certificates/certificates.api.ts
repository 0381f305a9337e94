import type { Certificate } from '@nearhand/contract/people/certificates';
import type { CertificateKind } from '@nearhand/contract/people/certificates.rules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { unkept } from '../../lib/api/query-options.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useUser } from '../../lib/session.ts';

/** The caller's certificates, newest first. */
export function useCertificates() {
  const user = useUser();
  return useQuery(
    apiQuery.certificates.mine.queryOptions({ enabled: user !== null, staleTime: 0, ...unkept }),
  );
}

/** Adds a certificate with its copy, and removes one. */
export function useCertificateChanges() {
  const client = useQueryClient();
  const key = apiQuery.certificates.mine.queryKey();
  const keep = {
    onSuccess: (mine: Certificate[]) => {
      client.setQueryData(key, mine);
      refetchChanged(client, ['account'], key);
    },
  };
  return {
    /** The key comes with the file, so that a repeat stores it once. */
    add: useMutation({
      mutationFn: async (added: {
        kind: CertificateKind;
        expiresOn: string;
        file: File;
        idempotencyKey: string;
      }) => {
        const { kind, expiresOn, file, idempotencyKey } = added;
        const { id: fileId } = await uploadFile({
          purpose: 'certificate',
          file,
          name: file.name,
          idempotencyKey,
        });
        return api.certificates.add({ kind, expiresOn, fileId });
      },
      ...keep,
    }),
    remove: useMutation(apiQuery.certificates.remove.mutationOptions(keep)),
  };
}
