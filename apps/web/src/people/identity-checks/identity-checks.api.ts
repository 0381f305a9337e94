import type { IdentityDocument, IdentitySide } from '@nearhand/contract/people/identity-checks.rules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { unkept } from '../../lib/api/query-options.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useUser } from '../../lib/session.ts';

/** Where the caller's identity document stands. */
export function useIdentityCheck() {
  const user = useUser();
  return useQuery(
    apiQuery.identityChecks.mine.queryOptions({ enabled: user !== null, staleTime: 0, ...unkept }),
  );
}

/** A chosen photo; a repeat with the same key stores it once. */
export type ChosenPhoto = { file: File; idempotencyKey: string };

/** `identityChecks.submit`, with the photos uploaded first. */
export function useSendIdentity() {
  const client = useQueryClient();
  const key = apiQuery.identityChecks.mine.queryKey();
  return useMutation({
    mutationFn: async (sent: {
      document: IdentityDocument;
      photos: Partial<Record<IdentitySide, ChosenPhoto>>;
    }) => {
      const upload = async (side: IdentitySide) => {
        const photo = sent.photos[side];
        return photo ? (await uploadFile({ purpose: 'identity', name: photo.file.name, ...photo })).id : null;
      };
      const frontFileId = (await upload('front')) ?? '';
      const backFileId = await upload('back');
      const selfieFileId = (await upload('selfie')) ?? '';
      return api.identityChecks.submit({ document: sent.document, frontFileId, backFileId, selfieFileId });
    },
    onSuccess: (view) => {
      client.setQueryData(key, view);
      refetchChanged(client, ['account'], key);
    },
  });
}
