import { type MouseEvent, useLayoutEffect, useRef } from 'react';

/** A second click within this time and distance was intended for the previous button. */
const settleMs = 600;
const nearPx = 16;

/**
 * Ignores the second click of a double click if the first one changed a record's buttons. For `onClickCapture` of
 * their container.
 */
export function useSettledClicks(record: string, buttons: string): (event: MouseEvent) => void {
  const last = useRef({ record, buttons, changedAt: Number.NEGATIVE_INFINITY });
  const clicked = useRef({ x: Number.NEGATIVE_INFINITY, y: 0 });
  useLayoutEffect(() => {
    const { current: before } = last;
    if (before.record === record && before.buttons === buttons) return;
    const isSame = before.record === record;
    last.current = { record, buttons, changedAt: isSame ? performance.now() : Number.NEGATIVE_INFINITY };
  }, [record, buttons]);
  return (event) => {
    const { clientX: x, clientY: y } = event;
    const isNear = Math.hypot(x - clicked.current.x, y - clicked.current.y) < nearPx;
    clicked.current = { x, y };
    if (!isNear || performance.now() - last.current.changedAt >= settleMs) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Ignores the second click of a double click, which would press the next step's button in the same spot. */
export function onFirstClick(act: () => void) {
  return (event: MouseEvent): void => {
    if (event.detail < 2) act();
  };
}
