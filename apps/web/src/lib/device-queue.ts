import { useSyncExternalStore } from 'react';
import { isApiError, isNetworkError } from './api-error.ts';
import { dropDraft, keepDraft, readDraft } from './device-draft.ts';
import { session } from './session.ts';

/**
 * What waits on the device to be sent, for the account that is signed in (drafts of another one are never seen). `put` answers whether the device could
 * keep it; all windows of the browser see the same.
 */
export function deviceQueue<Entry>(name: string, isList: (value: unknown) => value is Entry[]) {
  const nothing: readonly Entry[] = [];
  const listeners = new Set<() => void>();
  let known: { account: string; list: readonly Entry[] } | null = null;
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  globalThis.addEventListener?.('storage', (event) => {
    if (!event.key?.endsWith(name)) return;
    known = null;
    notify();
  });
  const entries = (): readonly Entry[] => {
    const account = session.user()?.id;
    if (account === undefined) return nothing;
    if (known?.account !== account) known = { account, list: readDraft(name, isList) ?? nothing };
    return known.list;
  };
  const put = (list: readonly Entry[]): boolean => {
    const account = session.user()?.id;
    known = account === undefined ? null : { account, list };
    if (list.length === 0) dropDraft(name);
    const kept = list.length === 0 || keepDraft(name, list);
    notify();
    return kept;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    const off = session.subscribe(listener);
    return () => {
      listeners.delete(listener);
      off();
    };
  };
  return { entries, put, useEntries: () => useSyncExternalStore(subscribe, entries, () => nothing) };
}

/** Whether it goes by itself later: no connection, a busy server, a session that has to be renewed first, the same call still on its way. */
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
