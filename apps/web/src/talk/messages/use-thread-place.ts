import { useCallback, useEffect, useRef, useState } from 'react';
import { goToPlace, openRoom } from './message-store.api.ts';

export type Opened = { readSeq: number; unread: number };

/** Opens a conversation at the search match, at the first unread message or at the newest, and jumps in it. */
export function useThreadPlace(id: string, opened: Opened, at: { seq: number; key: string } | null) {
  const [target, setTarget] = useState<{ seq: number; tick: number } | null>(null);
  const followed = useRef<string | null>(null);
  const soughtBefore = useRef<number | null>(null);
  // Makes the list scroll to the newest message whenever `tick` changes.
  const [ends, setEnds] = useState({ tick: 0, always: true });
  const toNewest = (always = true) => {
    setTarget(null);
    setEnds(({ tick }) => ({ tick: tick + 1, always }));
  };

  const wantedSeq = at?.seq ?? null;
  const wantedKey = at?.key ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation opens once; each request for a message scrolls to it.
  useEffect(() => {
    const link = `${wantedSeq} ${wantedKey}`;
    // The page is shown again: keep its scroll position.
    if (followed.current === link) return;
    const first = followed.current === null;
    followed.current = link;
    const sought = soughtBefore.current;
    soughtBefore.current = wantedSeq;
    const unread = opened.unread > 0 ? { from: opened.readSeq + 1, count: opened.unread } : null;
    if (wantedSeq === null) {
      if (first) void openRoom(id, unread);
      // The conversation was selected again without a message, from the list or a notice: show it as if just opened.
      else if (sought !== null) toNewest();
    } else if (first) {
      setTarget({ seq: wantedSeq, tick: 1 });
      void openRoom(id, { from: wantedSeq, count: Number.POSITIVE_INFINITY });
    } else void onJump(wantedSeq);
  }, [id, opened, wantedSeq, wantedKey]);

  const onJump = useCallback(
    async (seq: number) => {
      const isFound = await goToPlace(id, seq);
      if (isFound) setTarget((before) => ({ seq, tick: (before?.tick ?? 0) + 1 }));
    },
    [id],
  );
  return { target, ends, toNewest, onJump };
}
