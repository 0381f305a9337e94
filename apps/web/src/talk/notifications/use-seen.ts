import { type RefObject, useEffect, useRef } from 'react';

/** Long enough to read two lines; what scrolls past was not seen. */
const seenAfterMs = 1_200;
const sendAfterMs = 600;

/** Calls `onSeen` once the element was mostly in view for a moment, in a visible tab. */
export function useSeen<Element extends HTMLElement>(
  on: boolean,
  onSeen: () => void,
): RefObject<Element | null> {
  const element = useRef<Element>(null);
  const onSeenRef = useRef(onSeen);
  onSeenRef.current = onSeen;
  useEffect(() => {
    if (!on || !element.current || typeof IntersectionObserver === 'undefined') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (document.hidden) timer = setTimeout(look, seenAfterMs);
      else onSeenRef.current();
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting) timer = setTimeout(look, seenAfterMs);
      },
      { threshold: 0.6 },
    );
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [on]);
  return element;
}

/** Batches ids for a moment, each id once while the screen is open; the rest is sent on leaving. */
export function useBatch(send: (ids: string[]) => void): (ids: readonly string[]) => void {
  const newest = useRef(send);
  newest.current = send;
  const state = useRef({ sent: new Set<string>(), batch: [] as string[], timer: 0 as unknown });
  const flush = useRef(() => {
    state.current.timer = 0;
    const ids = state.current.batch.splice(0, 100);
    if (ids.length > 0) newest.current(ids);
    if (state.current.batch.length > 0) flush.current();
  });
  useEffect(
    () => () => {
      clearTimeout(state.current.timer as number);
      flush.current();
    },
    [],
  );
  return (ids) => {
    const { sent, batch } = state.current;
    for (const id of ids) {
      if (sent.has(id)) continue;
      sent.add(id);
      batch.push(id);
    }
    if (batch.length > 0 && state.current.timer === 0)
      state.current.timer = setTimeout(flush.current, sendAfterMs);
  };
}
