import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { focusVisiblePage } from '../../lib/pages/visible-main.ts';
import { OutsideReasonGroup } from '../controls/needs-network.tsx';

type DialogProps = {
  open: boolean;
  /** Called for Escape, the device's back button, or a press outside. Omit it if an answer is required. */
  onClose?: () => void;
  /** The open dialog has its own history entry, so the browser's Back closes it. */
  inHistory?: boolean;
  role?: 'dialog' | 'alertdialog';
  className: string;
  labelledBy?: string;
  label?: string;
  describedBy?: string;
  children: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
};

/** The browser's own modal dialog: it traps focus, makes the page inert and returns the focus. */
export function Dialog(props: DialogProps) {
  const { onClose, role, className, labelledBy, label, describedBy, children, initialFocus } = props;
  const element = useRef<HTMLDialogElement>(null);
  const { open, inHistory = false } = props;
  const isShown = useOpenedLater(open);
  useClosedWithPage(element, open, onClose);
  useBackButton(open, () => onClose?.(), { inHistory });

  // A layout effect: the dialog closes in the commit that hides its page, so it never covers another one.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || !isShown) return;
    // Animates once it has the focus: the browser would scroll an element focused below the window into view.
    delete dialog.dataset.shown;
    dialog.showModal();
    initialFocus?.current?.focus();
    dialog.dataset.shown = '';
    return () => {
      dialog.close();
      ignoreSecondPress();
      // The previously focused element may have been removed, or be on a hidden page.
      if (hasLostFocus(dialog)) focusVisiblePage();
    };
  }, [isShown, initialFocus]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the dialog handles it.
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
        // A link has navigated away, so close: the page is hidden.
        const led = event.defaultPrevented && (event.target as Element).closest('a[href]');
        if (led || event.target === element.current) onClose?.();
      }}
    >
      <OutsideReasonGroup>{isShown ? <div className="modal-body">{children}</div> : null}</OutsideReasonGroup>
    </dialog>
  );
}

const doublePressMs = 500;

/** The second press of a double press on a button that closes the dialog must not hit what is underneath. */
function ignoreSecondPress(): void {
  const ignore = (event: MouseEvent) => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', ignore, true);
  setTimeout(() => document.removeEventListener('click', ignore, true), doublePressMs);
}

/** Opens in the next task: restyling the inert page takes too long in one task with the tap's render (ADR 330). */
function useOpenedLater(open: boolean): boolean {
  const [due, setDue] = useState(false);
  useLayoutEffect(() => {
    if (!open || !hasScheduler()) return;
    let isWanted = true;
    const show = () => {
      if (isWanted) flushSync(() => setDue(true));
    };
    // Runs before the page's other tasks: behind a map that is still loading, the dialog would open seconds later.
    void globalThis.scheduler.postTask(show, { priority: 'user-blocking' });
    return () => {
      isWanted = false;
      setDue(false);
    };
  }, [open]);
  return open && (due || !hasScheduler());
}

const hasScheduler = (): boolean => typeof globalThis.scheduler?.postTask === 'function';

function hasLostFocus(closed: HTMLDialogElement): boolean {
  const focused = document.activeElement;
  const isNowhere = focused === null || focused === document.body || closed.contains(focused);
  return isNowhere && !document.querySelector('dialog[open]');
}

/** Closes an open dialog when its page is hidden. A dialog without `onClose` opens again with its page. */
function useClosedWithPage(
  element: RefObject<HTMLDialogElement | null>,
  open: boolean,
  onClose: (() => void) | undefined,
): void {
  const latest = useRef({ open, onClose });
  latest.current = { open, onClose };
  useEffect(() => {
    const dialog = element.current;
    return () => {
      // If it is still in the document, its page was hidden; otherwise it was unmounted.
      if (dialog?.isConnected && latest.current.open) latest.current.onClose?.();
    };
  }, [element]);
}
