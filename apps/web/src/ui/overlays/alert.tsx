import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { createStore } from '../../lib/store.ts';
import { Button, type ButtonKind } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';

type AlertButton = { value: string; label: string; kind?: ButtonKind | undefined };
export type AlertText = {
  title: string;
  subtitle?: string;
  message: string;
  tone?: 'bad' | 'ask';
  /** The main button first: it is shown last in its row, and on top where they don't fit into one. */
  buttons?: readonly AlertButton[];
};

type Shown = AlertText & { id: number; answer: (value: string | null) => void };

const alertStore = createStore<Shown | null>(null);
let count = 0;

/** Shows an alert and returns the pressed button's value, or null when closed. A second one replaces the first. */
export function showAlert(text: AlertText): Promise<string | null> {
  alertStore.get()?.answer(null);
  return new Promise((resolve) => {
    count += 1;
    alertStore.set({ ...text, id: count, answer: resolve });
  });
}

function close(value: string | null): void {
  alertStore.get()?.answer(value);
  alertStore.set(null);
}

export function AlertHost() {
  const { t } = useLingui();
  const now = alertStore.useValue();
  const main = useRef<HTMLButtonElement>(null);
  const buttons = now?.buttons ?? [{ value: 'ok', label: t`OK` }];
  return (
    <Dialog
      open={now !== null}
      onClose={() => close(null)}
      role="alertdialog"
      className="alert"
      labelledBy="alert-title"
      describedBy="alert-message"
      initialFocus={main}
    >
      {now?.tone === 'bad' ? <AlertMark /> : null}
      <h2 className="h-l" id="alert-title">
        {now?.title}
      </h2>
      {now?.subtitle ? <p className="label mt1">{now.subtitle}</p> : null}
      <p className="lead mt3 our-lines" id="alert-message">
        {now?.message}
      </p>
      <div className="row g2 mt6 alert-act">
        {buttons.toReversed().map((button) => (
          <Button
            key={button.value}
            ref={button === buttons[0] ? main : undefined}
            kind={button.kind ?? (button === buttons[0] ? 'ink' : 'quiet')}
            className="grow"
            onClick={() => close(button.value)}
          >
            {button.label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function AlertMark() {
  return (
    <svg className="alert-mark" viewBox="0 0 64 64" aria-hidden="true">
      <g fill="none" stroke="var(--bad)" strokeWidth="1.5">
        <circle cx="32" cy="32" r="30" opacity=".3" />
        <circle cx="32" cy="32" r="21" opacity=".6" strokeDasharray="104 28" transform="rotate(-62 32 32)" />
      </g>
      <circle cx="32" cy="32" r="12" fill="var(--bad)" />
      <path d="M32 26v7.5" stroke="var(--raised)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="32" cy="38" r="1.8" fill="var(--raised)" />
    </svg>
  );
}
