import type { Message } from '@nearhand/contract/talk/messages';
import { type FocusEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { ThreadItem } from './thread.rules.ts';

type MessageKeys = {
  items: readonly ThreadItem[];
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  onMenu: (message: Message, beside: HTMLElement) => void;
  onNewest: () => Promise<void>;
  onLeave: () => void;
};

const lineOf = (element: Element | null) => element?.closest<HTMLElement>('[data-line]') ?? null;

/** Keyboard navigation of messages (ADR 100). Returns the handler, and the focused line, which must stay rendered. */
export function useMessageKeys({ items, scroller, list, onMenu, onNewest, onLeave }: MessageKeys) {
  const [current, setCurrent] = useState<string | null>(null);
  const latestItems = useRef(items);
  latestItems.current = items;

  const go = (index: number) => {
    const item = latestItems.current[index];
    if (!item) return;
    setCurrent(item.key);
    const focus = () => {
      const line = scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(item.key)}"]`);
      line?.focus({ preventScroll: true });
      line?.scrollIntoView({ block: 'nearest' });
      return line != null;
    };
    if (focus()) return;
    list.current?.scrollToIndex(index, { align: 'nearest' });
    setTimeout(focus, 50);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // An enlarged photo, or a form in the conversation, has its own keys.
    if (target.closest('dialog, input, textarea, select')) return;
    const line = lineOf(target);
    const at = line ? items.findIndex(({ key }) => key === line.dataset.line) : -1;
    const act = (run: () => void) => {
      event.preventDefault();
      run();
    };
    switch (event.key) {
      case 'ArrowUp':
        return act(() => go(at === -1 ? items.length - 1 : at - 1));
      case 'ArrowDown':
        return act(() => go(at === -1 ? items.length - 1 : at + 1));
      case 'Home':
        return act(() => go(0));
      case 'End':
        return act(() => {
          void onNewest().then(() => {
            const focused = document.activeElement;
            // The focused line was removed or is still in the list; otherwise the person has moved on.
            if (focused === document.body || scroller.current?.contains(focused))
              go(latestItems.current.length - 1);
          });
        });
      case 'Escape':
        return act(onLeave);
      case 'Enter':
      case 'ContextMenu': {
        // On a button or a link, Enter activates that control.
        if (event.key === 'Enter' && target !== line) return;
        const message = items[at]?.message;
        if (line && message?.kind === 'text' && message.redactedAt === null)
          act(() => onMenu(message, line.querySelector<HTMLElement>('.msg') ?? line));
      }
    }
  };

  // A line stays rendered while the focus may return to it, such as from a menu.
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const key = lineOf(event.target)?.dataset.line;
    if (key !== undefined) setCurrent(key);
  };

  const focusedIndex = current === null ? -1 : items.findIndex(({ key }) => key === current);
  return { onKeyDown, onFocus, keepMounted: focusedIndex === -1 ? undefined : [focusedIndex] };
}
