import type { EngagementCard } from '@nearhand/contract/engagements';
import { useEffect } from 'react';

/**
 * Beside a list somebody always stands: its first, until another is chosen, and again once that one has left the list. Reading about them tells nobody anything. A
 * sheet about them stays until it is closed, with what was typed in it and why it was refused.
 */
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
    // It does not bubble.
    document.addEventListener('close', open, true);
    return () => document.removeEventListener('close', open, true);
  }, [first, among, onOpen]);
}
