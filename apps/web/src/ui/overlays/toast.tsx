import { useLingui } from '@lingui/react/macro';
import { type CSSProperties, useEffect } from 'react';
import { createStore } from '../../lib/store.ts';
import { IconButton } from '../controls/button.tsx';

type Toast = {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
  /** True if the screen itself shows the change, so that only screen readers need the text. */
  isSpoken?: boolean;
};

const toast = createStore<Toast | null>(null);
let count = 0;

/** Confirms an action, optionally with undo: `showToast('Saved to your list', { label: 'Undo', run })`. */
export function showToast(text: string, action?: Toast['action']): void {
  count += 1;
  toast.set(action ? { id: count, text, action } : { id: count, text });
}

/**
 * Tells screen readers of a change that everyone else sees in the headline or badge of the screen. A toast would
 * repeat it and cover what comes next.
 */
export function announce(text: string): void {
  count += 1;
  toast.set({ id: count, text, isSpoken: true });
}

/** Removes the toast, which may be about a user who has signed out. */
export function dismissToast(): void {
  toast.set(null);
}

function hide(id: number): void {
  if (toast.get()?.id === id) toast.set(null);
}

/**
 * The space that buttons take at the bottom of the visible page, which a toast must not cover: a dock, or a
 * floating button.
 */
function buttonsHeight(): string {
  const heights = [...document.querySelectorAll('.dock, .fab')].map((element) => {
    const { height, top, bottom } = element.getBoundingClientRect();
    const isAtBottom =
      height > 0 && bottom <= innerHeight + 1 && bottom > innerHeight * atBottom && top > innerHeight / 2;
    return isAtBottom ? innerHeight - top : 0;
  });
  return `${Math.max(0, ...heights)}px`;
}

/**
 * Buttons whose lower edge is further up, such as those on a map, are out of a toast's way. Above a dock taller than half
 * of the page, it would cover the title.
 */
const atBottom = 0.75;

/**
 * Long enough to read it and reach the button (WCAG 2.2.1): with an action it stays until dismissed or replaced, or
 * until its page is left.
 */
const shownMs = 6_000;

export function ToastHost() {
  const now = toast.useValue();
  useEffect(() => {
    if (!now) return;
    // The action may lead to another page, so the page counts that is open once the text has been read.
    let path: string | null = null;
    const timer = setInterval(() => {
      if (document.querySelector('dialog[open][role="alertdialog"]') !== null) return;
      if (!now.action || (path !== null && path !== location.pathname)) hide(now.id);
      path ??= location.pathname;
    }, shownMs);
    return () => clearInterval(timer);
  }, [now]);
  return (
    <div
      className="toasts"
      role="status"
      style={{ '--above': now ? buttonsHeight() : undefined } as CSSProperties}
    >
      {now ? (
        <div className={now.isSpoken ? 'vh' : 'toast'} key={now.id}>
          <span>{now.text}</span>
          {now.action ? <ToastButtons action={now.action} onDone={() => hide(now.id)} /> : null}
        </div>
      ) : null}
    </div>
  );
}

function ToastButtons({ action, onDone }: { action: NonNullable<Toast['action']>; onDone: () => void }) {
  const { t } = useLingui();
  return (
    <>
      <button
        type="button"
        onClick={() => {
          action.run();
          onDone();
        }}
      >
        {action.label}
      </button>
      <IconButton icon="x" label={t`Close`} onClick={onDone} />
    </>
  );
}
