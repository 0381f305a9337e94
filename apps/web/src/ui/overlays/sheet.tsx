import { useLingui } from '@lingui/react/macro';
import { type PointerEvent, type ReactNode, type RefObject, useId, useRef } from 'react';
import { IconButton } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';

type SheetProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  dock?: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
};

/** A sheet pulled down by this share of its height closes. */
const pullToClose = 0.28;

export function Sheet({ open, onClose, title, children, dock, initialFocus }: SheetProps) {
  const { t } = useLingui();
  const id = useId();
  const from = useRef<number | null>(null);

  const sheet = (event: PointerEvent) => (event.currentTarget as HTMLElement).closest('dialog');
  const pull = (event: PointerEvent) => {
    if (from.current === null) return;
    const down = Math.max(0, event.clientY - from.current);
    sheet(event)?.style.setProperty('translate', `0 ${down}px`);
  };
  const drop = (event: PointerEvent) => {
    const dialog = sheet(event);
    if (from.current === null || !dialog) return;
    const far = event.clientY - from.current > dialog.offsetHeight * pullToClose;
    from.current = null;
    dialog.style.removeProperty('translate');
    if (far) onClose();
  };

  return (
    <Dialog open={open} onClose={onClose} className="sheet" labelledBy={id} initialFocus={initialFocus}>
      <div
        className="sheet-head"
        onPointerDown={(event) => {
          if ((event.target as Element).closest('button')) return;
          from.current = event.clientY;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={pull}
        onPointerUp={drop}
        onPointerCancel={drop}
      >
        <div className="grab" />
        <div className="row">
          <h2 className="h-m grow" id={id}>
            {title}
          </h2>
          <IconButton icon="x" label={t`Close`} onClick={onClose} />
        </div>
      </div>
      <div className="sheet-body">{children}</div>
      {dock ? <div className="sheet-dock">{dock}</div> : null}
    </Dialog>
  );
}
