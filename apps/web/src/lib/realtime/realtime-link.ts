import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { Signal } from '@nearhand/contract/realtime';
import { auth } from '../api/auth-provider.ts';
import { isOnline, reportNoAnswer, watchOnline } from '../device/online.ts';
import { session } from '../session.ts';
import { realtimePort } from './realtime.ts';

/** A hidden page keeps its socket this long; returning reconnects at once and fetches what was missed. */
const hiddenMs = 5 * minuteMs;
/** Random delays with exponential backoff, so that clients do not reconnect to a restarted server at once. */
const shortestMs = 500;
const longestMs = 10_000;
/** The number of consecutive failures that may each trigger a probe. */
const reportsMax = 4;
/** A shorter connection does not count as stable: the next attempt backs off as after a failure. */
const provedMs = 5_000;

type Attempt = {
  close: () => void;
  send: (event: 'typing' | 'looking', conversationId: string | null) => void;
};
export type AttemptEvents = {
  token: () => Promise<string | null>;
  open: () => void;
  signals: (signals: readonly Signal[]) => void;
  over: (code: string | null) => void;
};
export type Connect = (events: AttemptEvents) => Attempt;

function createRetry(run: () => void, random: () => number) {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    cancel,
    forget: () => {
      failures = 0;
    },
    waits: () => timer !== undefined,
    failures: () => failures,
    later: () => {
      cancel();
      const maxMs = Math.min(longestMs, shortestMs * 2 ** Math.min(failures, 10));
      failures += 1;
      timer = setTimeout(
        () => {
          timer = undefined;
          run();
        },
        shortestMs / 2 + random() * maxMs,
      );
    },
  };
}

function createTyping(send: (conversationId: string) => void) {
  const sentAt = new Map<string, number>();
  return {
    forget: () => sentAt.clear(),
    send: (conversationId: string) => {
      const now = Date.now();
      if (now - (sentAt.get(conversationId) ?? 0) < limits.typingMs / 2) return;
      sentAt.set(conversationId, now);
      send(conversationId);
    },
  };
}

/** Keeps one socket per tab while a verified user is signed in, online and active. Returns a function to end it. */
export function keepLink(connect: Connect, random: () => number = Math.random): () => void {
  let attempt: Attempt | null = null;
  let owner: string | null = null;
  /** Set once a refused token was renewed. If that one is refused too, the link backs off as after any failure. */
  let renewed = false;
  let openedAt: number | null = null;
  const retry = createRetry(() => look(), random);
  let hidden: ReturnType<typeof setTimeout> | undefined;
  const typing = createTyping((conversationId) => attempt?.send('typing', conversationId));

  const wantedUser = (): string | null => {
    const user = session.user();
    const isAway = document.hidden && hidden === undefined;
    return user?.emailVerified && isOnline() && !isAway ? user.id : null;
  };

  const sendOpenConversation = () =>
    attempt?.send('looking', document.hidden ? null : realtimePort.openConversationId());

  function drop(): void {
    retry.cancel();
    const old = attempt;
    attempt = null;
    openedAt = null;
    realtimePort.setSender(null);
    realtimePort.connected(false);
    old?.close();
  }

  async function renew(): Promise<void> {
    renewed = true;
    try {
      await auth().idToken({ fresh: true });
    } catch {
      // The server is unreachable; the next attempt reports more.
    }
  }

  function open(): void {
    const mine: Attempt = connect({
      token: () => auth().idToken(),
      open: () => {
        if (attempt !== mine) return;
        openedAt = Date.now();
        renewed = false;
        realtimePort.setSender({ typing: typing.send, openConversation: sendOpenConversation });
        realtimePort.connected(true);
        sendOpenConversation();
        // The server can't know what this device missed since the screen was loaded.
        realtimePort.receive([{ kind: 'resync' }]);
      },
      signals: (signals) => {
        if (attempt !== mine) return;
        realtimePort.receive(signals);
        // Another session of this person may have ended. The provider knows, and ends this one too if it has
        // expired.
        if (signals.some(({ kind }) => kind === 'session-ended')) void renew();
      },
      over: (code) => {
        if (attempt !== mine) return;
        const isProved = openedAt !== null && Date.now() - openedAt >= provedMs;
        drop();
        if (isProved) retry.forget();
        // The network may be down. Later failures only show that it blocks sockets.
        if (code === null && retry.failures() < reportsMax) reportNoAnswer();
        if (code?.startsWith('session/') && !renewed) void renew().then(look);
        else retry.later();
      },
    });
    attempt = mine;
  }

  function look(): void {
    const user = wantedUser();
    if (attempt && user !== owner) drop();
    if (user === null) {
      retry.cancel();
      if (!session.user()) typing.forget();
      return;
    }
    owner = user;
    if (!attempt && !retry.waits()) open();
  }

  const hurry = () => {
    retry.cancel();
    retry.forget();
    look();
  };
  const onVisibility = () => {
    clearTimeout(hidden);
    hidden = undefined;
    if (document.hidden) {
      hidden = setTimeout(() => {
        hidden = undefined;
        look();
      }, hiddenMs);
      sendOpenConversation();
      return;
    }
    if (attempt) sendOpenConversation();
    else hurry();
  };

  const forget = watchDevice({ look, hurry, onVisibility });
  if (document.hidden) onVisibility();
  look();
  return () => {
    forget();
    clearTimeout(hidden);
    drop();
  };
}

type Watcher = { look: () => void; hurry: () => void; onVisibility: () => void };

function watchDevice({ look, hurry, onVisibility }: Watcher): () => void {
  const forget = session.subscribe(look);
  document.addEventListener('visibilitychange', onVisibility);
  const stopWatching = watchOnline(() => (isOnline() ? hurry() : look()));
  return () => {
    forget();
    document.removeEventListener('visibilitychange', onVisibility);
    stopWatching();
  };
}
