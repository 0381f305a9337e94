import { minuteMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';

export function useSignInOptions() {
  return useQuery(apiQuery.signIn.options.queryOptions({ staleTime: 10 * minuteMs }));
}

export function useSecondStep() {
  const user = useUser();
  return useQuery(
    apiQuery.signIn.secondStep.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

export function useSecondStepChanged() {
  return () => refetchChanged(['account']);
}

/** Stores the destination with the account, for the tab or device of the mailed link (ADR 194). Never rejects. */
export async function storeReturnPath(path: string): Promise<void> {
  try {
    await api.accounts.update({ returnTo: path });
  } catch {
    // The link then leads home; this tab still leads there.
  }
}

/** The team invitation that a guest opened; here, so that signing in does not load the team's code. */
export const useOpenedInvitation = (token: string, enabled: boolean) =>
  useQuery(apiQuery.team.opened.queryOptions({ input: { token }, ...neverPersist, enabled }));

/**
 * Confirms the signed-in person's address by the invitation that was mailed to it. Resolves to false if only
 * our own mail can, such as for a shared link or an invitation that was revoked.
 * @throws AuthError if the server could not answer
 */
export async function confirmByInvitation(token: string): Promise<boolean> {
  const provider = auth();
  if (!provider.confirmByInvitation) return false;
  try {
    await provider.confirmByInvitation(token);
    return true;
  } catch (failure) {
    if (failure instanceof AuthError && failure.code === 'auth/invalid-action-code') return false;
    throw failure;
  }
}
