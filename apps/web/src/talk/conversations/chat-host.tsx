import { useEffect } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { connectedNow, onSignal, realtimePort } from '../../lib/realtime/realtime.ts';
import { useUser } from '../../lib/session.ts';
import { conversationRoom, fillRoom, isBehind } from '../messages/message-store.api.ts';
import { readOutbox, retryOutbox } from '../outbox/outbox.api.ts';
import { refetchChats, updateCachedConversation } from './conversations.api.ts';
import { deliveredUpTo } from './receipts.api.ts';

const gatherMs = 300;
/**
 * Lists and badges of an open conversation refetch after its message is read, or it would briefly count as
 * unread.
 */
const readFirstMs = 1_200;

const looksAt = (id: string): boolean =>
  realtimePort.openConversationId() === id && document.visibilityState === 'visible';

/** The background part of chat: sends queued messages and follows signals. Mounted once by the app. */
export default function ChatHost() {
  const user = useUser();
  const online = useOnline();
  const account = user?.emailVerified ? user.id : null;

  useEffect(() => {
    if (account === null || !online) return;
    void readOutbox().then(retryOutbox);
  }, [account, online]);

  useEffect(() => {
    if (account === null) return;
    const pendingIds = new Set<string>();
    const reading = new Map<string, ReturnType<typeof setTimeout>>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const gather = (id: string) => {
      pendingIds.add(id);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const id of pendingIds) refetchChats(id);
        pendingIds.clear();
      }, gatherMs);
    };
    const stop = onSignal((signal) => {
      if (signal.kind === 'conversation') gather(signal.conversationId);
      if (signal.kind === 'message') {
        const { conversationId: id, rev, seq } = signal;
        if (looksAt(id)) {
          clearTimeout(reading.get(id));
          reading.set(
            id,
            setTimeout(() => gather(id), readFirstMs),
          );
        } else gather(id);
        // Fetched even while not open, so that it opens at once and can be read offline.
        if (isBehind(id, rev))
          void fillRoom(id).then(() => {
            const { log } = conversationRoom(id);
            if (log.lastSeq < seq) return;
            deliveredUpTo(id, seq);
            const last = log.messages.get(log.lastSeq);
            if (last && looksAt(id))
              updateCachedConversation(id, (before) =>
                before.lastSeq < last.seq ? { ...before, last, lastAt: last.at, lastSeq: last.seq } : before,
              );
          });
      }
      if (signal.kind === 'resync') void retryOutbox();
    });
    // This part may load after the socket and miss signals.
    if (connectedNow()) refetchChats();
    return () => {
      clearTimeout(timer);
      for (const timer of reading.values()) clearTimeout(timer);
      stop();
    };
  }, [account]);

  // A page in the background may have missed a network change.
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === 'visible' && !connectedNow()) void retryOutbox();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, []);
  return null;
}
