import { type RefObject, useCallback, useRef } from 'react';

const cardOf = (element: Element | null) => element?.closest<HTMLElement>('[data-applicant]');

/** Puts the focus on the card of an applicant and brings it into view; false where it is not on the board. */
export function focusCard(board: HTMLElement | null, id: string | undefined): boolean {
  const card = id ? board?.querySelector<HTMLElement>(`[data-applicant="${CSS.escape(id)}"] .cover`) : null;
  card?.focus();
  card?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  return Boolean(card);
}

/**
 * A card that leaves its lane takes the focus with it, at once or when its sheet is sent, and whoever works with keys would start again at the top
 * of the page. `leaving` remembers who follows; `settle`, called whenever a lane was drawn anew, goes there if the focus was lost.
 */
export function useKeptFocus(board: RefObject<HTMLElement | null>) {
  const held = useRef<{ lane: Element | null; id: string; next: string | undefined } | null>(null);
  const leaving = useCallback(
    (id: string) => {
      const card = board.current?.querySelector(`[data-applicant="${CSS.escape(id)}"]`) ?? null;
      const next = cardOf(card?.nextElementSibling ?? null) ?? cardOf(card?.previousElementSibling ?? null);
      held.current = { lane: card?.parentElement ?? null, id, next: next?.dataset.applicant };
    },
    [board],
  );
  const settle = useCallback(() => {
    if (!held.current) return;
    // After the dialog has closed and tried to give the focus back to what is gone.
    setTimeout(() => {
      const was = held.current;
      if (!was || document.querySelector('dialog[open]')) return;
      if (was.lane?.querySelector(`[data-applicant="${CSS.escape(was.id)}"]`)) return;
      held.current = null;
      if (document.activeElement === null || document.activeElement === document.body)
        focusCard(board.current, was.next);
    });
  }, [board]);
  return { leaving, settle };
}
