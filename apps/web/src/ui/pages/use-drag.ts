import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import '../desk.css';

const dragFromPx = 6;
const edgePx = 48;

/** `copies` is true while Alt (Option on a Mac) is held. */
type Drag<Item, Target> = { item: Item; over: Target | null; copies: boolean };

type DragOptions<Item, Target> = {
  onDrop: (item: Item, target: Target, copies: boolean) => void;
  mayDrop: (item: Item, target: Target) => boolean;
  /** Called when a drag begins. True cancels it. */
  isRefused: () => boolean;
  /** The data attribute that names a target; `drop` by default. */
  targetName?: string;
  /** Selects the element that scrolls sideways when the pointer comes near its edge. */
  scroller: string;
};

/**
 * Drags a card with a mouse or pen to an element whose data attribute names a target. `over` is set only for a target
 * where the item may go. Escape cancels. Touch scrolls instead.
 */
export function useDrag<Item, Target extends string>(options: DragOptions<Item, Target>) {
  const [drag, setDrag] = useState<Drag<Item, Target> | null>(null);
  const current = useRef(options);
  current.current = options;
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const grab = useCallback(
    (event: ReactPointerEvent<HTMLElement>, item: Item, card: HTMLElement = event.currentTarget) => {
      const pressed = event.target as Element;
      if (event.button !== 0 || event.pointerType === 'touch' || pressed.closest('.ib, .pick, .more-jobs'))
        return;
      const from = { x: event.clientX, y: event.clientY };
      const box = card.getBoundingClientRect();
      let ghost: HTMLElement | null = null;
      let over: Target | null = null;
      let copies = false;

      const start = () => {
        ghost = card.cloneNode(true) as HTMLElement;
        ghost.classList.add('ghost');
        ghost.setAttribute('aria-hidden', 'true');
        ghost.inert = true;
        ghost.style.inlineSize = `${box.width}px`;
        document.body.append(ghost);
        document.documentElement.classList.add('dragging');
        getSelection()?.removeAllRanges();
        setDrag({ item, over: null, copies });
      };
      const move = (now: PointerEvent) => {
        if (!ghost && Math.hypot(now.clientX - from.x, now.clientY - from.y) < dragFromPx) return;
        if (!ghost && current.current.isRefused()) {
          document.addEventListener('pointerup', swallowClick, { once: true });
          return finish();
        }
        if (!ghost) start();
        ghost?.style.setProperty(
          'translate',
          `${box.left + now.clientX - from.x}px ${box.top + now.clientY - from.y}px`,
        );
        const under = document.elementFromPoint(now.clientX, now.clientY);
        const { targetName = 'drop' } = current.current;
        const named = under?.closest<HTMLElement>(`[data-${targetName}]`)?.dataset[targetName];
        const target = (named ?? null) as Target | null;
        const next = target !== null && current.current.mayDrop(item, target) ? target : null;
        if (next !== over || now.altKey !== copies) {
          over = next;
          copies = now.altKey;
          setDrag({ item, over, copies });
        }
        scrollAlong(current.current.scroller, now.clientX);
      };
      const end = (now: PointerEvent) => {
        const dropped = ghost !== null && now.type === 'pointerup' ? over : null;
        if (ghost) swallowClick();
        finish();
        if (dropped !== null) current.current.onDrop(item, dropped, now.altKey);
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
        document.removeEventListener('dragstart', cancel);
        stop.current = null;
        setDrag(null);
      };
      document.addEventListener('pointermove', move);
      document.addEventListener('pointerup', end);
      document.addEventListener('pointercancel', end);
      document.addEventListener('keydown', key, true);
      // The browser's own dragging of a link would end the pointer's events.
      document.addEventListener('dragstart', cancel);
      stop.current = finish;
    },
    [],
  );
  return { drag, grab };
}

const cancel = (event: Event) => event.preventDefault();

function scrollAlong(scroller: string, x: number): void {
  const element = document.querySelector<HTMLElement>(scroller);
  if (!element) return;
  const { left, right } = element.getBoundingClientRect();
  if (x > right - edgePx) element.scrollBy({ left: edgePx / 4 });
  else if (x < left + edgePx) element.scrollBy({ left: -edgePx / 4 });
}

function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener('click', swallow, { capture: true }));
}
