import { useSyncExternalStore } from 'react';

/** The code of the invite link that was opened on this device, until an account claims it. */
const key = 'nearhand-invite';

/** Stores the code of an address with `?ref=`; anything else changes nothing. */
export function keepInviteCode(search: string): void {
  const code = new URLSearchParams(search).get('ref');
  try {
    if (code && /^[\w-]{1,20}$/.test(code)) localStorage.setItem(key, code);
  } catch {
    // Without storage the person can still sign up.
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
    // Then nothing was stored.
  }
}

let inviter = '';
const listeners = new Set<() => void>();

/** The first name of the person whose code this is, for the sign-up screens; empty for none. */
export function showInviter(firstName: string): void {
  inviter = firstName;
  for (const listener of listeners) listener();
}

/** The first name of the person whose invite link brought someone here; empty for none. */
export const useInviter = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => inviter,
  );
