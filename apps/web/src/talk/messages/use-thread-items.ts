import { useEffect, useMemo, useState } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { dayIn, ownTimeZone } from '../../lib/words/format.ts';
import { useOutgoing } from '../outbox/outbox.api.ts';
import type { Room } from './message-store.api.ts';
import { gapless } from './message-store.rules.ts';
import { threadItems } from './thread.rules.ts';
import type { Opened } from './use-thread-place.ts';

const days = new Map<string, string>();
/** An instant's day for the reader; called for every message, so cached by minute. */
function dayOf(at: string): string {
  const minute = at.slice(0, 16);
  const known = days.get(minute);
  if (known) return known;
  if (days.size > 20_000) days.clear();
  const day = dayIn(at, ownTimeZone());
  days.set(minute, day);
  return day;
}

/** The shown part of a conversation: the open part without gaps, and the queue. */
export function useThreadItems({
  id,
  room,
  me,
  opened,
  toNewest,
}: {
  id: string;
  room: Room;
  me: string | null;
  opened: Opened;
  toNewest: (always?: boolean) => void;
}) {
  const online = useOnline();
  const waiting = useOutgoing();
  const shown = useMemo(() => gapless(room.log, room.anchor), [room.log, room.anchor]);
  const newest = shown.at(-1)?.seq ?? 0;
  // This device's message that has overtaken one still loading: it stays on screen until the gap is closed.
  const ahead = useMemo(
    () =>
      newest === 0 || newest >= room.log.lastSeq
        ? []
        : [...room.log.known.values()].filter(
            (one) => one.seq > newest && one.seq <= newest + 20 && one.clientId !== null,
          ),
    [room.log, newest],
  );
  const atEnd = newest + ahead.length >= room.log.lastSeq;
  const mine = useMemo(() => waiting.filter((one) => one.conversationId === id), [waiting, id]);
  // Written at an older part: it stays below that until the newest part has loaded, which may take as long as the network is down.
  const [wroteHere, setWroteHere] = useState(false);
  const { lastSeq } = room.log;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the network is back, and when it has arrived.
  useEffect(() => {
    if (atEnd) setWroteHere(false);
    else if (wroteHere && online) toNewest(false);
  }, [online, lastSeq, atEnd]);
  const items = useMemo(
    () =>
      threadItems({
        messages: ahead.length > 0 ? [...shown, ...ahead] : shown,
        outgoing: mine,
        me,
        readSeq: opened.unread > 0 ? opened.readSeq : null,
        atEnd,
        wroteHere,
        dayOf,
      }),
    [shown, ahead, mine, me, atEnd, wroteHere, opened],
  );
  return { shown, mine, items, atEnd, wroteHere: () => setWroteHere(true) };
}
