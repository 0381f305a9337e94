import type { Signal } from '@nearhand/contract/realtime';
import { useSyncExternalStore } from 'react';
import { onBackOnline } from '../device/online.ts';
import { whenIdle } from '../pages/load-part.ts';
import { session } from '../session.ts';

/**
 * Realtime for the rest of the app: hints that something changed, and whether they arrive (ADR 89). Listeners then query the API. The
 * socket itself is in `realtime-link.ts`, loaded separately once a verified user is signed in.
 */
type Listener = (signal: Signal) => void;
/** Events that can be sent over the socket; dropped while there is none. */
export type Say = { typing: (conversationId: string) => void; looking: (id: string | null) => void };

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let connected = false;
let looking: string | null = null;
let say: Say | null = null;

/**
 * Subscribes to all signals; returns the unsubscribe function: `useEffect(() => onSignal(…), [])`. After a gap in the connection it gets a
 * `resync`, since signals were missed.
 */
export function onSignal(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const connectedNow = (): boolean => connected;

const watchConnected = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** The same in a component. Disconnected is no failure: everything works, with more polling (`useFresh`). */
export const useConnected = (): boolean => useSyncExternalStore(watchConnected, connectedNow);

/** Sets the open conversation, null for none: its messages are not pushed to this person. */
export function setLooking(conversationId: string | null): void {
  if (looking === conversationId) return;
  looking = conversationId;
  say?.looking(conversationId);
}

/** Sends that the person is typing in this conversation; throttled, so call it on every key. */
export function sendTyping(conversationId: string): void {
  say?.typing(conversationId);
}

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

/**
 * Called once by the app. Loads the link (`realtime-start.ts`) after the first screen has rendered and a verified user is signed in; from
 * then on it manages itself.
 */
export function startRealtime(load: () => Promise<unknown>): void {
  const begin = () => {
    if (!session.user()?.emailVerified) return;
    stop();
    // Offline its code may fail to load: the next change of the session or the network retries.
    void whenIdle()
      .then(load)
      .catch(() => startAgain(begin));
  };
  const startAgain = (again: () => void) => {
    const ends = [session.subscribe(again), onBackOnline(again)];
    stop = () => {
      for (const end of ends) end();
    };
  };
  let stop = session.subscribe(begin);
  begin();
}
