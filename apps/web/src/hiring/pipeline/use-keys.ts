import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { deviceSetting } from '../../lib/device/device-setting.ts';
import { readingKey } from '../../ui/controls/reading-direction.ts';

/** Single keys can be turned off: speech input and tremor press letters by accident (WCAG 2.1.4). */
export const singleKeys = deviceSetting('nearhand-pipeline-keys', ['on', 'off']);

export type BoardKey =
  | 'next'
  | 'previous'
  | 'next-lane'
  | 'previous-lane'
  | 'shortlist'
  | 'reject'
  | 'offer'
  | 'interview'
  | 'open'
  | 'select'
  | 'search'
  | 'help'
  | 'escape';

const letters: Record<string, BoardKey> = {
  j: 'next',
  k: 'previous',
  l: 'next-lane',
  h: 'previous-lane',
  s: 'shortlist',
  r: 'reject',
  o: 'offer',
  i: 'interview',
  '/': 'search',
  '?': 'help',
};
/** Keys that need a focused card; they can't be turned off. */
const onCard: Record<string, BoardKey> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowRight: 'next-lane',
  ArrowLeft: 'previous-lane',
  Enter: 'open',
  ' ': 'select',
};

export function boardKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  place: { typing: boolean; card: boolean; letters: boolean },
): BoardKey | null {
  if (event.ctrlKey || event.metaKey || event.altKey || place.typing) return null;
  if (event.key === 'Escape') return 'escape';
  const fixed = onCard[event.key];
  if (fixed) return place.card ? fixed : null;
  return place.letters ? (letters[event.key.toLowerCase()] ?? null) : null;
}

const isTyping = (element: Element | null): boolean =>
  Boolean(element?.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]'));

/** Listens while the board's page is shown and no dialog is open. The handler returns whether it did something. */
export function useBoardKeys(board: RefObject<HTMLElement | null>, onKey: (key: BoardKey) => boolean): void {
  const handle = useRef(onKey);
  handle.current = onKey;
  useEffect(() => {
    let swallowUp = false;
    const down = (event: KeyboardEvent) => {
      const here = board.current;
      if (!here || here.offsetParent === null || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return;
      const at = event.target as Element | null;
      const { ctrlKey, metaKey, altKey } = event;
      const pressed = { key: readingKey(event, here), ctrlKey, metaKey, altKey };
      const key = boardKey(pressed, {
        typing: isTyping(at),
        card: Boolean(at?.closest('.cover')) && here.contains(at),
        letters: singleKeys.get() === 'on',
      });
      if (!key || !handle.current(key)) return;
      event.preventDefault();
      swallowUp = event.key === ' ';
    };
    // A button is pressed on Space keyup, in some browsers even after a prevented keydown.
    const up = (event: KeyboardEvent) => {
      if (event.key !== ' ' || !swallowUp) return;
      swallowUp = false;
      event.preventDefault();
    };
    document.addEventListener('keydown', down);
    document.addEventListener('keyup', up);
    return () => {
      document.removeEventListener('keydown', down);
      document.removeEventListener('keyup', up);
    };
  }, [board]);
}

const cardOf = (element: Element | null) => element?.closest<HTMLElement>('[data-applicant]');

export function focusCard(board: HTMLElement | null, id: string | undefined): boolean {
  const card = id ? board?.querySelector<HTMLElement>(`[data-applicant="${CSS.escape(id)}"] .cover`) : null;
  card?.focus();
  card?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  return Boolean(card);
}

/** Keeps the focus when a card leaves its lane: `leaving` remembers the next card, `restoreFocus` focuses it. */
export function useRestoredFocus(board: RefObject<HTMLElement | null>) {
  const heldApplicant = useRef<{ lane: Element | null; id: string; next: string | undefined } | null>(null);
  const leaving = useCallback(
    (id: string) => {
      const card = board.current?.querySelector(`[data-applicant="${CSS.escape(id)}"]`) ?? null;
      const next = cardOf(card?.nextElementSibling ?? null) ?? cardOf(card?.previousElementSibling ?? null);
      heldApplicant.current = { lane: card?.parentElement ?? null, id, next: next?.dataset.applicant };
    },
    [board],
  );
  const restoreFocus = useCallback(() => {
    if (!heldApplicant.current) return;
    // Runs after the dialog has closed and tried to return the focus to a removed element.
    setTimeout(() => {
      const previous = heldApplicant.current;
      if (!previous || document.querySelector('dialog[open]')) return;
      if (previous.lane?.querySelector(`[data-applicant="${CSS.escape(previous.id)}"]`)) return;
      heldApplicant.current = null;
      if (document.activeElement === null || document.activeElement === document.body)
        focusCard(board.current, previous.next);
    });
  }, [board]);
  return { leaving, restoreFocus };
}
