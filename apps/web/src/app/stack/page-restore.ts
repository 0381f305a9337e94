import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusQuietly } from '../../lib/pages/visible-main.ts';

/** How long to wait for the heading of a page that is still loading. */
const headingTimeoutMs = 10_000;

/** Hidden elements lose their scroll position; this puts it back when the page is shown again. */
export function useScrollRestore(page: RefObject<HTMLElement | null>): void {
  const positions = useRef(new Map<Element, { top: number; left: number }>());
  useLayoutEffect(() => {
    const root = page.current;
    if (!root) return;
    const known = positions.current;
    for (const [element, { top, left }] of known) {
      if (root.contains(element)) element.scrollTo({ top, left, behavior: 'instant' });
      else known.delete(element);
    }
    const save = ({ target }: Event) => {
      if (target instanceof Element) known.set(target, { top: target.scrollTop, left: target.scrollLeft });
    };
    // Scroll events do not bubble, so they are captured.
    root.addEventListener('scroll', save, { capture: true, passive: true });
    return () => {
      root.removeEventListener('scroll', save, { capture: true });
      for (const element of known.keys())
        known.set(element, { top: element.scrollTop, left: element.scrollLeft });
    };
  }, [page]);
}

/**
 * Moves the focus into a page when it is shown: to the element that had it when the page was left, otherwise to the heading, which screen readers
 * then read. The first page of a visit leaves the focus to the browser.
 */
export function useFocusRestore(page: RefObject<HTMLElement | null>, isFirst: boolean): void {
  const lastFocused = useRef<HTMLElement | null>(null);
  const wasShown = useRef(false);
  useLayoutEffect(() => {
    const root = page.current;
    if (!root) return;
    const stopWaiting = isFirst && !wasShown.current ? undefined : moveFocus(root, lastFocused.current);
    wasShown.current = true;
    return () => {
      stopWaiting?.();
      const focused = document.activeElement;
      lastFocused.current = focused instanceof HTMLElement && root.contains(focused) ? focused : null;
    };
  }, [page, isFirst]);
}

/** Returns a function that stops waiting for a heading, if the page has none yet. */
function moveFocus(root: HTMLElement, lastFocused: HTMLElement | null): (() => void) | undefined {
  if (lastFocused && root.contains(lastFocused)) {
    focusQuietly(lastFocused);
    return undefined;
  }
  if (focusHeading(root)) return undefined;
  if (!hasFocus(root)) focusQuietly(root);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timeout);
  };
  const observer = new MutationObserver(() => {
    const userMovedOn = document.activeElement !== root && document.activeElement !== document.body;
    if (userMovedOn || focusHeading(root)) stop();
  });
  observer.observe(root, { childList: true, subtree: true });
  const timeout = setTimeout(stop, headingTimeoutMs);
  return stop;
}

/** Whether the page has focused a field of its own, or a dialog has the focus. */
const hasFocus = (root: HTMLElement): boolean =>
  root.contains(document.activeElement) || document.activeElement?.closest('dialog[open]') != null;

/** Returns whether the page has a heading. */
function focusHeading(root: HTMLElement): boolean {
  const heading = root.querySelector<HTMLElement>('h1');
  if (!heading) return false;
  if (!hasFocus(root) || document.activeElement === root) focusQuietly(heading);
  return true;
}
