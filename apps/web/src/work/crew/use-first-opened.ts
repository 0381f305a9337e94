import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useEffect } from 'react';

/** Keeps an item selected next to a list: the first one, until another is picked or the picked one leaves the list. Waits for an open sheet to close. */
export function useFirstOpened(
  work: readonly EngagementCard[],
  openId: string | null,
  onOpen: ((work: EngagementCard) => void) | null,
): void {
  const first = work[0];
  const among = work.some(({ id }) => id === openId);
  useEffect(() => {
    if (!onOpen || !first || among) return;
    const open = () => {
      if (!document.querySelector('dialog[open]')) onOpen(first);
    };
    open();
    // `close` doesn't bubble, so listen in the capture phase.
    document.addEventListener('close', open, true);
    return () => document.removeEventListener('close', open, true);
  }, [first, among, onOpen]);
}
