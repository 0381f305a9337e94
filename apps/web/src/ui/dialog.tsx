import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

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
  const { open, onClose, role, className, labelledBy, label, describedBy, children, initialFocus } = props;
  const element = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      dialog.showModal();
      initialFocus?.current?.focus();
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
        if (event.target === element.current) onClose?.();
      }}
    >
      {open ? <div className="modal-body">{children}</div> : null}
    </dialog>
  );
}
