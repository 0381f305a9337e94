import { useSyncExternalStore } from 'react';

/** The code of an opened invite link, until an account claims it. */
const key = 'nearhand-invite';

export function keepInviteCode(search: string): void {
  const code = new URLSearchParams(search).get('ref');
  try {
    if (code && /^[\w-]{1,20}$/.test(code)) localStorage.setItem(key, code);
  } catch {
    // Without storage, the person can still sign up.
  }
}

export function inviteCode(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function dropInviteCode(): void {
  showInviter('');
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

let inviter = '';
const listeners = new Set<() => void>();

export function showInviter(firstName: string): void {
  inviter = firstName;
  for (const listener of listeners) listener();
}

export const useInviter = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => inviter,
  );
