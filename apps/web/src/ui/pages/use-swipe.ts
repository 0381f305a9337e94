import { type PointerEvent, useRef } from 'react';
import { isRightToLeft } from '../controls/reading-direction.ts';

export const swipeFarPx = 88;
/** Closer to the edge, a swipe goes back instead. */
const edgePx = 24;
const startPx = 10;

type Swipe = { forward: (() => void) | null; back: (() => void) | null };

/** Swipes a row: `forward` towards the end of the line, `back` towards its start. */
export function useSwipe({ forward, back }: Swipe) {
  const from = useRef<{ x: number; y: number; moving: boolean } | null>(null);
  const pulled = useRef(0);
  const swiped = useRef(false);
  const moveRow = (row: HTMLElement, x: number) => {
    pulled.current = x;
    row.style.setProperty('translate', x === 0 ? '' : `${x}px 0`);
    row.parentElement?.style.setProperty('--pulled', String(x));
  };
  const direction = (row: HTMLElement) => (isRightToLeft(row) ? -1 : 1);
  const end = (event: PointerEvent<HTMLElement>) => {
    const row = event.currentTarget;
    const forwardPx = pulled.current * direction(row);
    const wasMoving = from.current?.moving ?? false;
    from.current = null;
    moveRow(row, 0);
    swiped.current = wasMoving;
    setTimeout(() => {
      swiped.current = false;
    });
    if (!wasMoving || event.type === 'pointercancel') return;
    if (forwardPx >= swipeFarPx) forward?.();
    else if (forwardPx <= -swipeFarPx) back?.();
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const nearEdge = event.clientX < edgePx || event.clientX > globalThis.innerWidth - edgePx;
      if (event.pointerType !== 'touch' || nearEdge) return;
      from.current = { x: event.clientX, y: event.clientY, moving: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const start = from.current;
      if (!start) return;
      const row = event.currentTarget;
      const x = event.clientX - start.x;
      if (!start.moving) {
        if (Math.abs(event.clientY - start.y) > startPx) from.current = null;
        if (Math.abs(x) < startPx || !from.current) return;
        start.moving = true;
        row.setPointerCapture?.(event.pointerId);
      }
      const allowed = x * direction(row) > 0 ? forward : back;
      moveRow(row, allowed ? x : x / 6);
    },
    onPointerUp: end,
    onPointerCancel: end,
    // Otherwise releasing the finger would follow a link under it.
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => {
      if (!swiped.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
