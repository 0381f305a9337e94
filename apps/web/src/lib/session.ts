import { useSyncExternalStore } from 'react';

/** The signed-in user as stored on the device (spec §3). `leaving`: the account is being deleted (ADR 160). */
export type SessionUser = {
  id: string;
  email: string;
  emailVerified: boolean;
  name: string;
  leaving?: boolean;
};

/** Both key names are the specification's; sign-out removes them. */
export const userKey = 'user';
export const accessTokenKey = 'access-token';

let user: SessionUser | null = null;
let accessToken: string | null = null;
const listeners = new Set<() => void>();

/** Storage can be full, blocked or absent; the session then lasts as long as the page. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) storage()?.removeItem(key);
    else storage()?.setItem(key, value);
  } catch {
    // Storage is blocked: the session lasts as long as the page.
  }
}

function isUser(value: unknown): value is SessionUser {
  if (typeof value !== 'object' || value === null) return false;
  const { id, email, emailVerified, name } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    typeof email === 'string' &&
    typeof emailVerified === 'boolean' &&
    typeof name === 'string'
  );
}

function readUser(): SessionUser | null {
  try {
    const value: unknown = JSON.parse(storage()?.getItem(userKey) ?? 'null');
    return isUser(value) ? value : null;
  } catch {
    return null;
  }
}

function notify(): void {
  for (const listener of [...listeners]) listener();
}

function readAll(): void {
  user = readUser();
  accessToken = user ? (storage()?.getItem(accessTokenKey) ?? null) : null;
}

readAll();
// Follows other tabs, so that no tab keeps showing an ended session.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key === null || event.key === userKey || event.key === accessTokenKey) {
    readAll();
    notify();
  }
});

/** The session's single store. Only the sign-in adapter writes it. */
export const session = {
  user: () => user,
  accessToken: () => accessToken,
  start(next: { user: SessionUser; accessToken: string }): void {
    user = next.user;
    accessToken = next.accessToken;
    keep(userKey, JSON.stringify(user));
    keep(accessTokenKey, accessToken);
    notify();
  },
  update(change: { user?: SessionUser; accessToken?: string }): void {
    if (change.user) {
      user = change.user;
      keep(userKey, JSON.stringify(user));
    }
    if (change.accessToken) {
      accessToken = change.accessToken;
      keep(accessTokenKey, accessToken);
    }
    notify();
  },
  clear(): void {
    user = null;
    accessToken = null;
    keep(userKey, null);
    keep(accessTokenKey, null);
    notify();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useUser(): SessionUser | null {
  return useSyncExternalStore(session.subscribe, session.user);
}

export function whenSignedIn(): Promise<void> {
  if (session.user()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = session.subscribe(() => {
      if (!session.user()) return;
      stop();
      resolve();
    });
  });
}
