import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { arrowSteps, isRightToLeft, readingKey } from '../controls/reading-direction.ts';
import { Dialog } from './dialog.tsx';

type PopoverProps = {
  open: boolean;
  onClose: () => void;
  label: string;
  anchor: HTMLElement | null;
  children: ReactNode;
};

const gapPx = 6;
const edgePx = 12;

/** A few actions next to their anchor, for mouse and keys; on touch use a `Sheet`. Arrow keys move, Escape closes. */
export function Popover({ open, onClose, label, anchor, children }: PopoverProps) {
  return (
    <Dialog open={open} onClose={onClose} className="popover" label={label}>
      <PopoverBody anchor={anchor}>{children}</PopoverBody>
    </Dialog>
  );
}

/** Mounted when the dialog opens, so that it can be measured then. */
function PopoverBody({ anchor, children }: Pick<PopoverProps, 'anchor' | 'children'>) {
  const inside = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const dialog = inside.current?.closest('dialog');
    if (!dialog || !anchor) return;
    const anchorBox = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = dialog;
    const below = anchorBox.bottom + gapPx;
    const isRoomBelow = below + height <= window.innerHeight - edgePx;
    const top = isRoomBelow ? below : Math.max(edgePx, anchorBox.top - gapPx - height);
    const start = isRightToLeft(dialog) ? anchorBox.right - width : anchorBox.left;
    const left = Math.min(Math.max(edgePx, start), window.innerWidth - width - edgePx);
    dialog.style.setProperty('inset', `${top}px auto auto ${left}px`);
  }, [anchor]);

  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = arrowSteps[readingKey(event, event.currentTarget)];
    if (step === undefined) return;
    event.preventDefault();
    const acts = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a[href]')];
    const at = acts.indexOf(document.activeElement as HTMLElement);
    acts[(at + step + acts.length) % acts.length]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside handle the keys; this only moves the focus between them.
    <div ref={inside} onKeyDown={walk}>
      {children}
    </div>
  );
}
