import { signedInCookie, signedInCookiePath } from '@nearhand/contract/hiring/public-pages.rules';
import { useSyncExternalStore } from 'react';
import { isNative } from './device/platform.ts';
import { readStored, writeStored } from './device/stored.ts';
import { createStore } from './store.ts';

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
    const value: unknown = JSON.parse(readStored(userKey) ?? 'null');
    return isUser(value) ? value : null;
  } catch {
    return null;
  }
}

function readSession(): { user: SessionUser | null; accessToken: string | null } {
  const user = readUser();
  return { user, accessToken: user && readStored(accessTokenKey) };
}

const store = createStore(readSession());

const daySeconds = 86_400;
/** The lifetime of an unused session. */
const markDays = 60;

/** Lets a public job page open in the app for this user (ADR 153). A native app opens such links itself. */
function markSignedIn(): void {
  if (typeof document === 'undefined' || isNative()) return;
  const seconds = store.get().user?.emailVerified ? markDays * daySeconds : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari 15.
  document.cookie = `${signedInCookie}=1; path=${signedInCookiePath}; max-age=${seconds}; samesite=lax`;
}
markSignedIn();
store.subscribe(markSignedIn);
// Follows other tabs, so that no tab keeps showing an ended session.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key === null || event.key === userKey || event.key === accessTokenKey) store.set(readSession());
});

/**
 * The session's single store. Only the sign-in adapter writes it. If storage is blocked, it lasts as long as
 * the page.
 */
export const session = {
  user: () => store.get().user,
  accessToken: () => store.get().accessToken,
  start(next: { user: SessionUser; accessToken: string }): void {
    writeStored(userKey, JSON.stringify(next.user));
    writeStored(accessTokenKey, next.accessToken);
    store.set({ user: next.user, accessToken: next.accessToken });
  },
  update({ user, accessToken }: { user?: SessionUser; accessToken?: string }): void {
    if (user) writeStored(userKey, JSON.stringify(user));
    if (accessToken) writeStored(accessTokenKey, accessToken);
    const before = store.get();
    store.set({ user: user ?? before.user, accessToken: accessToken || before.accessToken });
  },
  clear(): void {
    writeStored(userKey, null);
    writeStored(accessTokenKey, null);
    store.set({ user: null, accessToken: null });
  },
  subscribe: store.subscribe,
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
