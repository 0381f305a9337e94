import { minuteMs } from '@nearhand/contract/durations';
import { api, apiQuery } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query.ts';
import { session } from '../../lib/session.ts';

/**
 * Terms accepted on the register screen, before there is a verified account to record it for (spec §4; ADR 0033). `owner` is the account made with
 * them; null while somebody is away at Google or Facebook, where the account is not known yet.
 */
type KeptTerms = { version: string; owner: string | null; at: number };

const key = 'nearhand-terms';
/** Whoever comes back later than this from another site may be somebody else. */
const awayMs = 15 * minuteMs;

function read(): KeptTerms | null {
  try {
    const kept = JSON.parse(globalThis.localStorage.getItem(key) ?? 'null') as Partial<KeptTerms> | null;
    return kept && typeof kept.version === 'string' && typeof kept.at === 'number'
      ? { version: kept.version, owner: kept.owner ?? null, at: kept.at }
      : null;
  } catch {
    return null;
  }
}

export function keepAcceptedTerms(version: string, owner: string | null): void {
  try {
    globalThis.localStorage.setItem(key, JSON.stringify({ version, owner, at: Date.now() }));
  } catch {
    // Nothing can be kept here: the account screen asks again.
  }
}

function forget(): void {
  try {
    globalThis.localStorage.removeItem(key);
  } catch {
    // Nothing was kept then.
  }
}

/** Records what was accepted for the signed-in, verified person. Does nothing when there is nothing. Rejects with an ApiError. */
export async function saveAcceptedTerms(): Promise<void> {
  const user = session.user();
  const kept = read();
  if (!kept || !user?.emailVerified) return;
  if (kept.owner === null ? Date.now() - kept.at > awayMs : kept.owner !== user.id) {
    if (kept.owner === null) forget();
    return;
  }
  try {
    const account = await api.accounts.acceptTerms({ version: kept.version });
    queryClient.setQueryData(apiQuery.accounts.me.queryKey(), account);
  } catch (failure) {
    // Newer terms came into force meanwhile: they have to be read first, on their own screen.
    if (!isApiError(failure, 'request/invalid')) throw failure;
  }
  forget();
}
