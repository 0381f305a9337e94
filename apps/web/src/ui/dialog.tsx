import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useBackButton } from '../lib/back-button.ts';

type DialogProps = {
  open: boolean;
  /** Escape, the back button of the device, or a press beside it. Leave it out where an answer is needed. */
  onClose?: (() => void) | undefined;
  role?: 'dialog' | 'alertdialog';
  className: string;
  labelledBy?: string;
  label?: string;
  describedBy?: string | undefined;
  children: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
};

/**
 * The browser's own modal dialog: it traps focus, makes the page behind it inert, is on top of everything and returns the focus.
 */
export function Dialog(props: DialogProps) {
  const { onClose, role, className, labelledBy, label, describedBy, children, initialFocus } = props;
  const element = useRef<HTMLDialogElement>(null);
  const { open } = props;
  useClosedWithPage(element, open, onClose);
  useBackButton(open, () => onClose?.());

  // A layout effect: the dialog closes in the same commit that hides its page, so it never covers another page.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || !open) return;
    // It moves in only once the focus is in it: the browser scrolls what is focused below the edge of the window into sight, and the whole page with it.
    delete dialog.dataset.shown;
    dialog.showModal();
    initialFocus?.current?.focus();
    dialog.dataset.shown = '';
    return () => dialog.close();
  }, [open, initialFocus]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and the dialog handles it.
    <dialog
      ref={element}
      role={role}
      className={`modal ${className}`}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        // A link has by now led elsewhere: it must not leave this open in a page that nobody sees.
        const led = event.defaultPrevented && (event.target as Element).closest('a[href]');
        if (led || event.target === element.current) onClose?.();
      }}
    >
      {open ? <div className="modal-body">{children}</div> : null}
    </dialog>
  );
}

/** False for dialogs of the whole app, which stay open when the page changes. */
const isInPage = (dialog: HTMLDialogElement | null) => dialog?.closest('.page-holder') != null;

/**
 * Closes an open dialog when its page is hidden, and on Back and Forward even if the page stays. A dialog without `onClose` opens again with its page.
 */
function useClosedWithPage(
  element: RefObject<HTMLDialogElement | null>,
  open: boolean,
  onClose: (() => void) | undefined,
): void {
  const latest = useRef({ open, onClose });
  latest.current = { open, onClose };
  useEffect(() => {
    const dialog = element.current;
    const back = () => {
      if (latest.current.open && isInPage(dialog)) latest.current.onClose?.();
    };
    globalThis.addEventListener('popstate', back);
    return () => {
      globalThis.removeEventListener('popstate', back);
      // If it is still in the document, its page was hidden; otherwise it was unmounted and there is nothing to close.
      if (dialog?.isConnected && latest.current.open) latest.current.onClose?.();
    };
  }, [element]);
}
