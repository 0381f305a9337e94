import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { ThreadItem } from './thread.rules.ts';

export type ScrollOptions = {
  items: readonly ThreadItem[];
  atStart: boolean;
  atEnd: boolean;
  failed: boolean;
  /** These two must be stable functions, or each render would request again. */
  onEarlier: () => void;
  onLater: () => void;
  onNewest: () => Promise<void>;
  onSeen: (seq: number) => void;
  /** Scrolls to a message and marks it; a new `tick` repeats that. */
  target: { seq: number; tick: number } | null;
  /** Goes to the newest message each time its `tick` grows; unless `always`, only if the list was at its end. */
  ends: { tick: number; always: boolean };
};

/** Closer than this to the end, new messages keep the end in view. */
const nearPx = 80;
const loadWithinPx = 900;

/** The list on screen. `sticks`: the end stays in view; `placed`: the initial position is set. */
type View = {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  sticks: RefObject<boolean>;
  placed: RefObject<boolean>;
};

/** Positions the list at the search match, the first unread message or the end, and follows changes from there. */
export function useMessageScroll(options: ScrollOptions) {
  const { items } = options;
  const view: View = {
    scroller: useRef<HTMLDivElement>(null),
    list: useRef<VirtualizerHandle>(null),
    sticks: useRef(true),
    placed: useRef(false),
  };
  const shift = useShift(items);
  const { list, sticks } = view;
  const lastIndex = items.length - 1;
  const toEnd = useCallback(
    () => list.current?.scrollToIndex(lastIndex, { align: 'end' }),
    [list, lastIndex],
  );
  const markers = usePlacing(view, options, toEnd);
  const { look, below } = useLooking(view, options);
  const grown = useGrown(view, toEnd);

  const toEndNow = useRef(toEnd);
  toEndNow.current = toEnd;
  const toNewest = async () => {
    await options.onNewest();
    sticks.current = true;
    await new Promise(requestAnimationFrame);
    toEndNow.current();
  };
  const { ends } = options;
  const followed = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per request.
  useEffect(() => {
    if (followed.current === ends.tick) return;
    followed.current = ends.tick;
    if (ends.tick > 0 && (ends.always || sticks.current)) void toNewest();
  }, [ends]);
  return { scroller: view.scroller, list, shift, marked: markers, look, below, grown, toNewest };
}

/** Earlier messages are added in front: the position is then kept relative to the end. */
function useShift(items: readonly ThreadItem[]): boolean {
  const firstSeq = items[0]?.message?.seq ?? 0;
  const firstBefore = useRef(firstSeq);
  const shift = firstSeq < firstBefore.current;
  useLayoutEffect(() => {
    firstBefore.current = firstSeq;
  }, [firstSeq]);
  return shift;
}

function usePlacing(
  { list, sticks, placed }: View,
  { items, target }: ScrollOptions,
  toEnd: () => void,
): number | null {
  const [marked, setMarked] = useState<number | null>(null);
  const targetIndex = target ? items.findIndex(({ message }) => message?.seq === target.seq) : -1;
  const targetSeq = target?.seq ?? null;
  const tick = target?.tick ?? 0;
  const soughtBefore = useRef('');

  const unreadIndex = items.findIndex(({ unread }) => unread);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the first messages have loaded.
  useLayoutEffect(() => {
    if (placed.current || items.length === 0) return;
    placed.current = true;
    if (targetIndex >= 0) {
      sticks.current = false;
      list.current?.scrollToIndex(targetIndex, { align: 'center' });
    } else if (unreadIndex > 0) {
      sticks.current = false;
      list.current?.scrollToIndex(unreadIndex, { align: 'start' });
    } else toEnd();
  }, [items.length, unreadIndex, toEnd]);

  const newestKey = items.at(-1)?.key;
  const newestBefore = useRef<typeof newestKey>(undefined);
  const newestIsOwn = items.at(-1)?.outgoing !== null && items.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the newest line changes, not when others re-render.
  useLayoutEffect(() => {
    const before = newestBefore.current;
    newestBefore.current = newestKey;
    // Without new messages the page is only shown again, and keeps its scroll position.
    if (!placed.current || before === newestKey) return;
    if (sticks.current || newestIsOwn) {
      sticks.current = true;
      toEnd();
    }
  }, [newestKey, newestIsOwn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per press, and again once the place has loaded.
  useEffect(() => {
    if (targetSeq === null) {
      soughtBefore.current = '';
      return;
    }
    if (targetIndex < 0 || soughtBefore.current === `${targetSeq} ${tick}`) return;
    soughtBefore.current = `${targetSeq} ${tick}`;
    sticks.current = false;
    list.current?.scrollToIndex(targetIndex, { align: 'center' });
    setMarked(targetSeq);
    const timer = setTimeout(() => setMarked(null), 1_800);
    return () => {
      clearTimeout(timer);
      setMarked(null);
    };
  }, [targetSeq, tick, targetIndex >= 0]);
  return marked;
}

function useLooking({ scroller, list, sticks, placed }: View, options: ScrollOptions) {
  const { items, atStart, atEnd, failed, onSeen, onEarlier, onLater } = options;
  const lastLook = useRef({ scrollTop: 0, scrollHeight: 0 });
  const [below, setBelow] = useState<{ away: boolean; from: number }>({ away: false, from: 0 });
  const look = useCallback(() => {
    const handle = list.current;
    const box = scroller.current;
    if (!handle || !box || !placed.current) return;
    const { scrollTop, scrollHeight } = box;
    const distanceToEnd = scrollHeight - scrollTop - box.clientHeight;
    // Only a person's scrolling up releases the end; measured lines also change the height.
    const before = lastLook.current;
    lastLook.current = { scrollTop, scrollHeight };
    if (distanceToEnd <= nearPx && atEnd) sticks.current = true;
    else if (scrollTop < before.scrollTop - 2 && scrollHeight === before.scrollHeight) sticks.current = false;
    const away = !sticks.current || !atEnd;
    const bottom = handle.findItemIndex(handle.scrollOffset + handle.viewportSize - 24);
    for (let index = Math.min(bottom, items.length - 1); index >= 0; index -= 1) {
      const seq = items[index]?.message?.seq;
      if (seq === undefined) continue;
      onSeen(seq);
      break;
    }
    setBelow((current) =>
      current.away === away
        ? current
        : { away, from: items.findLast(({ message }) => message !== null)?.message?.seq ?? 0 },
    );
    if (scrollTop < loadWithinPx && !atStart) onEarlier();
    if (distanceToEnd < loadWithinPx && !atEnd) onLater();
  }, [scroller, list, sticks, placed, items, atStart, atEnd, onSeen, onEarlier, onLater]);

  // Messages may not fill the window yet. A failed request is retried only when the server responds again.
  useEffect(() => {
    if (failed) return;
    const timer = setTimeout(look, 60);
    return () => clearTimeout(timer);
  }, [look, failed]);
  return { look, below };
}

/** Keeps the end in view as lines, the composer and a phone's keyboard resize the window. */
function useGrown({ scroller, sticks }: View, toEnd: () => void): () => void {
  const grown = useCallback(() => {
    if (sticks.current) toEnd();
  }, [sticks, toEnd]);

  useEffect(() => {
    const box = scroller.current;
    if (!box || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(grown);
    watch.observe(box);
    return () => watch.disconnect();
  }, [scroller, grown]);
  return grown;
}
