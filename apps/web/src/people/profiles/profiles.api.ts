import type { StoredFile } from '@nearhand/contract/people/files';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { auth } from '../../lib/api/auth-provider.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

/** Your own profile, even before the email is verified; only fetched when signed in. */
export function useMyProfile() {
  const user = useUser();
  return useQuery(apiQuery.profiles.mine.queryOptions({ enabled: user !== null }));
}

export function useMyIntent() {
  const user = useUser();
  return useQuery(apiQuery.accounts.me.queryOptions({ enabled: user !== null })).data?.intent ?? null;
}

/**
 * Saves the profile (`profiles.save`) and stores the response. Refetches the account, whose name may have
 * changed.
 */
export const useSaveProfile = () =>
  useMutation({
    ...apiQuery.profiles.save.mutationOptions({
      onSuccess: (saved) => {
        const profileKey = apiQuery.profiles.mine.queryKey();
        const before = queryClient.getQueryData(profileKey);
        queryClient.setQueryData(profileKey, saved);
        refetchChanged(['profile'], profileKey);
        if (before?.name !== saved.name)
          void auth()
            .idToken({ fresh: true })
            .catch(() => null);
      },
    }),
    mutationFn: withRecentProof(api.profiles.save),
  });

/** A worker's card for a business they applied to. Not stored on the device. */
export function useWorker(workerId: string) {
  return useQuery(
    apiQuery.profiles.worker.queryOptions({
      input: { workerId },
      enabled: workerId !== '',
      ...neverPersist,
    }),
  );
}

export const uploadProfileFile = async (purpose: 'photo' | 'cv', file: File): Promise<StoredFile> =>
  await api.files.upload({ purpose, file });
