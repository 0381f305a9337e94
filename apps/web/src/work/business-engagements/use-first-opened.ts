import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useEffect, useRef } from 'react';

/** Opens a list's first item once. Nothing replaces a removed item: the pointer may just have pressed Cancel. */
export function useFirstOpened(
  of: string,
  work: readonly EngagementCard[],
  openId: string | null,
  onOpen: ((work: EngagementCard | null) => void) | null,
): void {
  const first = work[0];
  const among = work.some(({ id }) => id === openId);
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (!onOpen || among) return;
    const follow = () => {
      if (document.querySelector('dialog[open]')) return;
      if (opened.current === of) {
        if (openId !== null) onOpen(null);
      } else if (first) {
        opened.current = of;
        onOpen(first);
      }
    };
    follow();
    // `close` doesn't bubble, so listen in the capture phase.
    document.addEventListener('close', follow, true);
    return () => document.removeEventListener('close', follow, true);
  }, [of, first, among, openId, onOpen]);
}
