import { type RefObject, useEffect } from 'react';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, dialog, [role="radiogroup"]') !== null;

/** J and K move through the rows of a list by their links; C presses a row's claim button. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const row = document.activeElement?.closest('li');
      const at = rows.findIndex((one) => one.closest('li') === row);
      if (event.key === 'j' || event.key === 'k') {
        const next = rows[Math.min(rows.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))];
        next?.focus();
      } else if (event.key === 'c' && at >= 0) {
        row?.querySelector<HTMLElement>('[data-claim]')?.click();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list]);
}
