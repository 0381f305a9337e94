import { type MouseEvent, type PointerEvent, useRef } from 'react';

const replyPx = 56;
const longPressMs = 450;
const stillPx = 8;
const afterLiftMs = 350;

/** A long press ends over the menu it opened; the resulting click is not intended. */
function swallowNextClick(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const lifted = () => {
    document.removeEventListener('pointerup', lifted, true);
    document.removeEventListener('pointercancel', lifted, true);
    setTimeout(() => document.removeEventListener('click', stop, true), afterLiftMs);
  };
  document.addEventListener('click', stop, true);
  document.addEventListener('pointerup', lifted, true);
  document.addEventListener('pointercancel', lifted, true);
}

/**
 * A swipe to either side replies, a long press opens the menu. The bubble follows the finger without
 * re-rendering.
 */
export function useMessageSwipe(onSwipe: () => void, onHold: (bubble: HTMLElement) => void) {
  const start = useRef<{ x: number; y: number; id: number; hold: ReturnType<typeof setTimeout> } | null>(
    null,
  );
  const pulledPx = useRef(0);
  const wasHeld = useRef(false);

  const end = (event: PointerEvent<HTMLElement>) => {
    if (!start.current) return;
    clearTimeout(start.current.hold);
    start.current = null;
    event.currentTarget.style.removeProperty('translate');
    if (Math.abs(pulledPx.current) >= replyPx && event.type === 'pointerup') onSwipe();
    pulledPx.current = 0;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      wasHeld.current = false;
      if (event.pointerType !== 'touch') return;
      const bubble = event.currentTarget;
      const hold = setTimeout(() => {
        start.current = null;
        wasHeld.current = true;
        swallowNextClick();
        bubble.style.removeProperty('translate');
        onHold(bubble);
      }, longPressMs);
      start.current = { x: event.clientX, y: event.clientY, id: event.pointerId, hold };
      pulledPx.current = 0;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from || event.pointerId !== from.id) return;
      const across = event.clientX - from.x;
      if (Math.abs(across) > stillPx || Math.abs(event.clientY - from.y) > stillPx) clearTimeout(from.hold);
      if (Math.abs(across) <= stillPx) return;
      const max = replyPx * 1.3;
      pulledPx.current = Math.max(-max, Math.min(max, across));
      event.currentTarget.style.setProperty('translate', `${pulledPx.current}px 0`);
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The browser's own long-press menu would cover ours; the mouse's stays.
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if (wasHeld.current || start.current) event.preventDefault();
    },
  };
}
