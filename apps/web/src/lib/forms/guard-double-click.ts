import { type MouseEvent, useLayoutEffect, useRef } from 'react';

/** A second click within this time and distance was intended for the previous button. */
const doubleClickMs = 600;
const nearPx = 16;

/**
 * Ignores the second click of a double click if the first one changed a record's buttons. For `onClickCapture` of
 * their container.
 */
export function useDoubleClickGuard(record: string, buttons: string): (event: MouseEvent) => void {
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
    if (!isNear || performance.now() - last.current.changedAt >= doubleClickMs) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

let isPressed = false;
for (const [type, value] of [
  ['mousedown', true],
  ['mouseup', false],
  ['dragend', false],
] as const)
  document.addEventListener(type, () => (isPressed = value), true);

/**
 * Runs `act` once the current press is over, at once if there is none. For what a field changes when it is left: if
 * messages came or went between press and release, the pressed button would move and lose its click.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) act();
  else document.addEventListener('mouseup', () => setTimeout(act), { once: true });
}

/** Ignores the second click of a double click, which would press the next step's button in the same spot. */
export function onFirstClick(act: () => void) {
  return (event: MouseEvent): void => {
    if (event.detail < 2) act();
  };
}
