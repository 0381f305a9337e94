import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { type DropTarget, dropMove } from '../applicants/stage.words.ts';

/** A pressed mouse moving this far drags; less is a click. */
const dragFromPx = 6;
/** This close to the board's edge it auto-scrolls. */
const edgePx = 48;

export type Drag = { applicant: Applicant; over: DropTarget | null };

/**
 * Dragging a card with a mouse or pen. A finger scrolls and uses the card's menu. The target under the pointer is found by `data-drop` and
 * set as `over` only where the server's actions allow it. Escape cancels.
 * @param isRefused whether a card stays where it is now; asked as it is about to be lifted
 */
export function useDrag(
  onDrop: (applicant: Applicant, target: DropTarget) => void,
  isRefused: () => boolean,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  const refused = useRef(isRefused);
  refused.current = isRefused;
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const grab = useCallback((event: ReactPointerEvent<HTMLElement>, applicant: Applicant) => {
    const pressed = event.target as Element;
    if (event.button !== 0 || event.pointerType === 'touch' || pressed.closest('.ib, .pick')) return;
    const card = event.currentTarget;
    const from = { x: event.clientX, y: event.clientY };
    const box = card.getBoundingClientRect();
    let ghost: HTMLElement | null = null;
    let over: DropTarget | null = null;

    const start = () => {
      ghost = card.cloneNode(true) as HTMLElement;
      ghost.classList.add('ghost');
      ghost.setAttribute('aria-hidden', 'true');
      ghost.inert = true;
      ghost.style.inlineSize = `${box.width}px`;
      document.body.append(ghost);
      document.documentElement.classList.add('dragging');
      getSelection()?.removeAllRanges();
      setDrag({ applicant, over: null });
    };
    const move = (now: PointerEvent) => {
      if (!ghost && Math.hypot(now.clientX - from.x, now.clientY - from.y) < dragFromPx) return;
      if (!ghost && refused.current()) {
        // Letting go is no click on the card either.
        document.addEventListener('pointerup', swallowClick, { once: true });
        return finish();
      }
      if (!ghost) start();
      ghost?.style.setProperty(
        'translate',
        `${box.left + now.clientX - from.x}px ${box.top + now.clientY - from.y}px`,
      );
      const under = document.elementFromPoint(now.clientX, now.clientY);
      const target = (under?.closest<HTMLElement>('[data-drop]')?.dataset.drop ?? null) as DropTarget | null;
      const next = target && dropMove(applicant, target) ? target : null;
      if (next !== over) {
        over = next;
        setDrag({ applicant, over });
      }
      scrollAlong(now.clientX);
    };
    const end = (now: PointerEvent) => {
      const dropped = ghost !== null && now.type === 'pointerup' ? over : null;
      if (ghost) swallowClick();
      finish();
      if (dropped) drop.current(applicant, dropped);
    };
    const key = (now: KeyboardEvent) => {
      if (now.key !== 'Escape' || !ghost) return;
      now.preventDefault();
      now.stopPropagation();
      finish();
    };
    const finish = () => {
      ghost?.remove();
      document.documentElement.classList.remove('dragging');
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', end);
      document.removeEventListener('pointercancel', end);
      document.removeEventListener('keydown', key, true);
      stop.current = null;
      setDrag(null);
    };
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
    document.addEventListener('keydown', key, true);
    stop.current = finish;
  }, []);
  return { drag, grab };
}

function scrollAlong(x: number): void {
  const board = document.querySelector<HTMLElement>('.lanes');
  if (!board) return;
  const { left, right } = board.getBoundingClientRect();
  if (x > right - edgePx) board.scrollBy({ left: edgePx / 4 });
  else if (x < left + edgePx) board.scrollBy({ left: -edgePx / 4 });
}

/** Releasing over the card's button would press it. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener('click', swallow, { capture: true }));
}
