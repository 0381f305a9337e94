import type { Signal } from '@nearhand/contract/realtime';
import { onBackOnline } from '../device/online.ts';
import { whenIdle } from '../pages/load-part.ts';
import { session } from '../session.ts';
import { createStore } from '../store.ts';

// Signals that a record changed (ADR 89). `realtime-link.ts` holds the socket, which only verified users open.

type Listener = (signal: Signal) => void;
export type RealtimeSender = {
  typing: (conversationId: string) => void;
  openConversation: (id: string | null) => void;
};

const listeners = new Set<Listener>();
const connected = createStore(false);
let openConversationId: string | null = null;
let sender: RealtimeSender | null = null;

/** Subscribes to all signals; returns the unsubscribe function. A gap in the connection causes a `resync`. */
export function onSignal(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const connectedNow = connected.get;

/** True while connected. Everything works without a connection, with more polling (`useFresh`). */
export const useConnected = connected.useValue;

/** Sets the open conversation (null if none is open). Its messages are not pushed to this person. */
export function setOpenConversation(conversationId: string | null): void {
  if (openConversationId === conversationId) return;
  openConversationId = conversationId;
  sender?.openConversation(conversationId);
}

/** Throttled, so it can be called on every key. */
export function sendTyping(conversationId: string): void {
  sender?.typing(conversationId);
}

export const realtimePort = {
  receive(signals: readonly Signal[]): void {
    for (const signal of signals) for (const listener of [...listeners]) listener(signal);
  },
  connected: connected.set,
  setSender(next: RealtimeSender | null): void {
    sender = next;
  },
  openConversationId: (): string | null => openConversationId,
};

/** Called once by the app. Loads the link after the first screen has rendered and a verified user is signed in. */
export function startRealtime(load: () => Promise<unknown>): void {
  const begin = () => {
    if (!session.user()?.emailVerified) return;
    stop();
    // The chunk may fail to load offline: the next change of the session or the network retries.
    void whenIdle()
      .then(load)
      .catch(() => startAgain(begin));
  };
  const startAgain = (reconnect: () => void) => {
    const unsubscribers = [session.subscribe(reconnect), onBackOnline(reconnect)];
    stop = () => {
      for (const end of unsubscribers) end();
    };
  };
  let stop = session.subscribe(begin);
  begin();
}
