import { type MouseEvent, type PointerEvent, useRef } from 'react';

const enough = 56;
const longPressMs = 450;
const still = 8;
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
 * A swipe towards the middle replies, a long press opens the menu. The bubble follows the finger without
 * re-rendering.
 */
export function useMessageSwipe(onSwipe: () => void, onHold: (bubble: HTMLElement) => void) {
  const start = useRef<{ x: number; y: number; id: number; hold: ReturnType<typeof setTimeout> } | null>(
    null,
  );
  const far = useRef(0);
  const wasHeld = useRef(false);

  const end = (event: PointerEvent<HTMLElement>) => {
    if (!start.current) return;
    clearTimeout(start.current.hold);
    start.current = null;
    event.currentTarget.style.removeProperty('translate');
    if (Math.abs(far.current) >= enough && event.type === 'pointerup') onSwipe();
    far.current = 0;
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
      far.current = 0;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from || event.pointerId !== from.id) return;
      const across = event.clientX - from.x;
      if (Math.abs(across) > still || Math.abs(event.clientY - from.y) > still) clearTimeout(from.hold);
      if (Math.abs(across) <= still) return;
      const max = enough * 1.3;
      far.current = Math.max(-max, Math.min(max, across));
      event.currentTarget.style.setProperty('translate', `${far.current}px 0`);
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The browser's own long-press menu would cover ours; the mouse's stays.
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if (wasHeld.current || start.current) event.preventDefault();
    },
  };
}
