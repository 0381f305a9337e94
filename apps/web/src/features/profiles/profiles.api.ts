import type { StoredFile } from '@nearhand/contract/files';
import type { Profile } from '@nearhand/contract/profiles';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api.ts';
import { auth } from '../../lib/auth-port.ts';
import { unkept } from '../../lib/query-options.ts';
import { useUser } from '../../lib/session.ts';

/** The own profile; not asked while nobody is signed in. */
export function useMyProfile() {
  const user = useUser();
  return useQuery(apiQuery.profiles.mine.queryOptions({ enabled: user !== null }));
}

/** The profile that the steps of sign-up begin with. Nothing is saved before the email is verified, so nothing empty is asked for and kept then. */
export function useSavedProfile() {
  const user = useUser();
  return useQuery(apiQuery.profiles.mine.queryOptions({ enabled: user?.emailVerified === true }));
}

/** What brings the signed-in account here, as it said; null where it has not. */
export function useMyIntent() {
  const user = useUser();
  return useQuery(apiQuery.accounts.me.queryOptions({ enabled: user !== null })).data?.intent ?? null;
}

/** `profiles.save`: the answer is the profile. The name is also the account's, so that is asked again. */
export function useSaveProfile() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.profiles.save.mutationOptions({
      onSuccess: (saved) => {
        const before = client.getQueryData(apiQuery.profiles.mine.queryKey());
        client.setQueryData(apiQuery.profiles.mine.queryKey(), saved);
        void client.invalidateQueries({ queryKey: apiQuery.accounts.key() });
        if (before?.name !== saved.name)
          void auth()
            .idToken({ fresh: true })
            .catch(() => null);
      },
    }),
  );
}

/** A worker as a business may see them that they applied to. Not kept on the device. */
export function useWorker(workerId: string) {
  return useQuery(
    apiQuery.profiles.worker.queryOptions({
      input: { workerId },
      enabled: workerId !== '',
      ...unkept,
    }),
  );
}

/** Stores a picture or a CV; it belongs to the profile once that is saved with it. */
export const uploadProfileFile = async (purpose: 'photo' | 'cv', file: File): Promise<StoredFile> =>
  (await api.files.upload({ purpose, file })) as StoredFile;

export type { Profile };
