import { browserLabel } from '@nearhand/contract/browser-label';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { createPasskey, signWithPasskey } from '../../lib/device/passkey.ts';
import { useUser } from '../../lib/session.ts';

export function usePasskeys() {
  const user = useUser();
  return useQuery(
    apiQuery.passkeys.list.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

/**
 * Adds a passkey (`passkeys.add`) after the browser's step. Named after this device unless the server knows the
 * authenticator.
 */
export const useAddPasskey = () =>
  useMutation({
    mutationFn: withRecentProof(async () => {
      const response = await createPasskey(await api.passkeys.startAdding());
      return api.passkeys.add({ name: browserLabel(navigator.userAgent), answer: response });
    }),
    onSettled: () => refetchChanged(['account']),
  });

export function usePasskeyChanges() {
  const onSettled = () => refetchChanged(['account']);
  return {
    rename: useMutation(apiQuery.passkeys.rename.mutationOptions({ onSettled })),
    remove: useMutation({
      ...apiQuery.passkeys.remove.mutationOptions({ onSettled }),
      mutationFn: withRecentProof(api.passkeys.remove),
    }),
  };
}

/**
 * Proves the user's presence (`passkeys.confirm`), so that confirmed calls need no password.
 * @throws AuthError, ApiError
 */
export async function confirmByPasskey(): Promise<void> {
  await api.passkeys.confirm({ answer: await signWithPasskey(await api.passkeys.startConfirming()) });
}
