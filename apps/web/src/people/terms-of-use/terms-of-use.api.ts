import { minuteMs } from '@nearhand/contract/durations';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { readStored, writeStored } from '../../lib/device/stored.ts';
import { session } from '../../lib/session.ts';

/** Terms accepted before the account exists (spec §4; ADR 33). `owner` is null during a social sign-in. */
type StoredTerms = { version: string; owner: string | null; at: number };

const key = 'nearhand-terms';
/** After this long at the site of a social sign-in, someone else may use the device. */
const awayMs = 15 * minuteMs;

function readTerms(): StoredTerms | null {
  try {
    const stored = JSON.parse(readStored(key) ?? 'null') as Partial<StoredTerms> | null;
    return stored && typeof stored.version === 'string' && typeof stored.at === 'number'
      ? { version: stored.version, owner: stored.owner ?? null, at: stored.at }
      : null;
  } catch {
    return null;
  }
}

export function storeAcceptedTerms(version: string, owner: string | null): void {
  // If storage is blocked, the account screen asks again.
  writeStored(key, JSON.stringify({ version, owner, at: Date.now() }));
}

const forget = () => writeStored(key, null);

/** Records the accepted terms for the signed-in user. A no-op if none are stored. Rejects with an ApiError. */
export async function saveAcceptedTerms(): Promise<void> {
  const user = session.user();
  const stored = readTerms();
  if (!stored || !user) return;
  if (stored.owner === null ? Date.now() - stored.at > awayMs : stored.owner !== user.id) {
    if (stored.owner === null) forget();
    return;
  }
  try {
    const account = await api.termsOfUse.accept({ version: stored.version });
    queryClient.setQueryData(apiQuery.accounts.me.queryKey(), account);
  } catch (failure) {
    // Newer terms are in force now and must be read on their own screen first.
    if (!isApiError(failure, 'request/invalid')) throw failure;
  }
  forget();
}

/** Accepts the terms (`termsOfUse.accept`). The response is the account, so nothing is refetched. */
export const useAcceptTerms = () =>
  useMutation(
    apiQuery.termsOfUse.accept.mutationOptions({
      onSuccess: (account) => queryClient.setQueryData(apiQuery.accounts.me.queryKey(), account),
    }),
  );

export const useTermsHistory = () => useQuery(apiQuery.termsOfUse.accepted.queryOptions());
