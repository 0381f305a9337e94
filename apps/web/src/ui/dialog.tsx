import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useInRouterContext, useLocation, useNavigationType } from 'react-router-dom';

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
 * The browser's own modal dialog: it traps focus, makes the page behind it inert, lies above everything and gives the focus back. Ionic's
 * overlays would cost the first load about 25 KiB and do this less well.
 */
export function Dialog(props: DialogProps) {
  const { onClose, role, className, labelledBy, label, describedBy, children, initialFocus } = props;
  const element = useRef<HTMLDialogElement>(null);
  const left = usePageLeft(element, props.open, onClose);
  const routed = useInRouterContext();
  const open = props.open && !left;

  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      // It moves in only once the focus is in it: the browser scrolls what is focused below the edge of the window into sight, and the whole page with it.
      delete dialog.dataset.shown;
      dialog.showModal();
      initialFocus?.current?.focus();
      dialog.dataset.shown = '';
    } else if (!open && dialog.open) dialog.close();
  }, [open, initialFocus]);

  useEffect(() => {
    if (!open) return;
    // Ionic asks in this event who handles the back button of the device; dialogs come before menus and pages.
    const back = (event: Event) => {
      (event as CustomEvent<{ register(priority: number, handler: () => void): void }>).detail.register(
        200,
        () => onClose?.(),
      );
    };
    document.addEventListener('ionBackButton', back);
    return () => document.removeEventListener('ionBackButton', back);
  }, [open, onClose]);

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
      {open && routed ? <AddressWatch dialog={element} onMoved={onClose} /> : null}
    </dialog>
  );
}

/** The page a dialog stands in; null for one over the whole app, which no page takes along. */
const pageOf = (dialog: HTMLDialogElement | null) => dialog?.closest('.ion-page') ?? null;

/**
 * Whether the page of an open dialog has been left. Pages stay mounted under the next one, and a modal dialog in a hidden page makes the whole
 * document inert: it closes with its page. One that needs an answer, and so does not close, shows again with its page.
 */
function usePageLeft(
  element: RefObject<HTMLDialogElement | null>,
  open: boolean,
  onClose: (() => void) | undefined,
): boolean {
  const [left, setLeft] = useState(false);
  const newest = useRef(onClose);
  newest.current = onClose;
  useEffect(() => {
    if (!open) {
      setLeft(false);
      return;
    }
    const page = pageOf(element.current);
    if (!page) return;
    const leave = () => {
      if (element.current?.open) element.current.close();
      setLeft(true);
      newest.current?.();
    };
    const enter = () => setLeft(false);
    page.addEventListener('ionViewWillLeave', leave);
    page.addEventListener('ionViewWillEnter', enter);
    return () => {
      page.removeEventListener('ionViewWillLeave', leave);
      page.removeEventListener('ionViewWillEnter', enter);
    };
  }, [element, open]);
  return left;
}

/** Closes a dialog of a page when the address leads elsewhere, or Back or Forward was pressed, though the page itself may stay. */
function AddressWatch({
  dialog,
  onMoved,
}: {
  dialog: RefObject<HTMLDialogElement | null>;
  onMoved: (() => void) | undefined;
}) {
  const { pathname, key } = useLocation();
  const popped = useNavigationType() === 'POP';
  const opened = useRef({ pathname, key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change of the address.
  useEffect(() => {
    const before = opened.current;
    opened.current = { pathname, key };
    if (!pageOf(dialog.current)) return;
    if (before.pathname !== pathname || (popped && before.key !== key)) onMoved?.();
  }, [pathname, key]);
  return null;
}
