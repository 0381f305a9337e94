import { useSyncExternalStore } from 'react';
import { isApiError, isNetworkError } from '../api/api-error.ts';
import { session } from '../session.ts';
import { createListeners } from '../store.ts';
import { dropDraft, readDraft, storeDraft } from './device-draft.ts';

/** A queue on the device, per account and shared by all windows. `put` returns whether the device stored it. */
export function deviceQueue<Entry>(name: string, isList: (value: unknown) => value is Entry[]) {
  const nothing: readonly Entry[] = [];
  const { notify, subscribe } = createListeners();
  let loaded: { account: string; list: readonly Entry[] } | null = null;
  globalThis.addEventListener?.('storage', (event) => {
    if (!event.key?.endsWith(name)) return;
    loaded = null;
    notify();
  });
  const entries = (): readonly Entry[] => {
    const account = session.user()?.id;
    if (account === undefined) return nothing;
    if (loaded?.account !== account) loaded = { account, list: readDraft(name, isList) ?? nothing };
    return loaded.list;
  };
  const store = (list: readonly Entry[]): boolean => {
    const account = session.user()?.id;
    loaded = account === undefined ? null : { account, list };
    if (list.length === 0) dropDraft(name);
    const isStored = list.length === 0 || storeDraft(name, list);
    notify();
    return isStored;
  };
  session.subscribe(notify);
  return { entries, put: store, useEntries: () => useSyncExternalStore(subscribe, entries, () => nothing) };
}

/** Offline, a busy server, an expired session, or the same call still in progress. */
export const canRetry = (error: unknown): boolean =>
  isNetworkError(error) ||
  isApiError(
    error,
    'network/cancelled',
    'request/unavailable',
    'request/internal',
    'request/too-many',
    'session/required',
    'session/expired',
    'idempotency/in-flight',
  );
