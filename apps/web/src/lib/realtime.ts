import type { Signal } from '@nearhand/contract/realtime';
import { useSyncExternalStore } from 'react';
import { session } from './session.ts';

/**
 * What the rest of the app knows of real time: hints that something changed, and whether they are coming (ADR 0102). Whoever hears one asks the API.
 * The socket itself is in `realtime-link.ts`, loaded apart once somebody verified is signed in.
 */
type Listener = (signal: Signal) => void;
/** What can be said over the socket; nothing is heard of it while there is none. */
export type Say = { typing: (conversationId: string) => void; looking: (id: string | null) => void };

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let connected = false;
let looking: string | null = null;
let say: Say | null = null;

/**
 * Hears every signal until the answer is called: `useEffect(() => onSignal(…), [])`. After a gap in the connection it hears a `resync`, also where the
 * server did not send one: what came meanwhile was not heard.
 */
export function onSignal(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether signals come in at this moment. */
export const connectedNow = (): boolean => connected;

const watchConnected = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** The same in a component. Not connected is no failure: everything works, asked more often (`useFresh`). */
export const useConnected = (): boolean => useSyncExternalStore(watchConnected, connectedNow);

/** Which conversation is on screen, null for none: what is said there is not pushed to this person meanwhile. */
export function setLooking(conversationId: string | null): void {
  if (looking === conversationId) return;
  looking = conversationId;
  say?.looking(conversationId);
}

/** The person types in this conversation; said seldom enough by itself, so call it on every key. */
export function sendTyping(conversationId: string): void {
  say?.typing(conversationId);
}

/** For the link, and for tests that stand in for it. */
export const realtimePort = {
  receive(signals: readonly Signal[]): void {
    for (const signal of signals) for (const listener of [...listeners]) listener(signal);
  },
  connected(now: boolean): void {
    if (connected === now) return;
    connected = now;
    for (const watcher of [...watchers]) watcher();
  },
  speak(over: Say | null): void {
    say = over;
  },
  looking: (): string | null => looking,
};

const whenIdle = (run: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 2_000 });
  else setTimeout(run, 500);
};

/**
 * Called once by the app. Loads the link (`realtime-start.ts`) when the first screen has drawn and somebody verified is signed in; from then on that looks
 * after itself.
 */
export function startRealtime(load: () => Promise<unknown>): void {
  const begin = () => {
    if (!session.user()?.emailVerified) return;
    stop();
    // Without a network its code may not come: the next change of the session, or of the network, tries again.
    whenIdle(() => load().catch(() => startAgain(begin)));
  };
  const startAgain = (again: () => void) => {
    stop = session.subscribe(again);
    globalThis.addEventListener('online', again, { once: true });
  };
  let stop = session.subscribe(begin);
  begin();
}
