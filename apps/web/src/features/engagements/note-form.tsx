import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { Currency } from '@nearhand/contract/money';
import { type ReactNode, useState } from 'react';
import { formatMoney, minorDigits } from '../../lib/format.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/typed-amount.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { useMove } from './use-move.ts';

type NoteFormProps = {
  children?: ReactNode;
  label: string;
  send: string;
  kind?: ButtonKind;
  max?: number;
  optional?: boolean;
  /** Asks for an amount too, at most this; starts with `start`. */
  amount?: { label: string; currency: Currency; start: number; most: number };
  onSend: (note: string, amountMinor: number) => Promise<unknown>;
  onDone: () => void;
};

/** A short form with a reason and perhaps an amount: calling off, contesting, the steps of a dispute. What was typed stays when it is refused. */
export function NoteForm(props: NoteFormProps) {
  const { t } = useLingui();
  const { amount, optional = false, max = limits.reasonMax } = props;
  const digits = amount ? minorDigits(amount.currency) : 0;
  const [note, setNote] = useState('');
  const [typed, setTyped] = useState(() => (amount ? typedFromMinor(amount.start, digits) : ''));
  const [tried, setTried] = useState(false);
  const { run, busy, refusal } = useMove();
  const minor = amount ? minorFromTyped(typed, digits) : 0;
  const wrongAmount = amount !== undefined && (minor === null || minor > amount.most);
  const missing = !optional && note.trim() === '';
  const tooLong = note.trim().length > max;
  const send = async () => {
    setTried(true);
    if (wrongAmount || missing || tooLong || minor === null) return;
    if (await run(() => props.onSend(note.trim(), minor))) props.onDone();
  };
  return (
    <form
      className="form-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {props.children}
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
      {amount ? (
        <TextInput
          label={amount.label}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={
            tried && wrongAmount
              ? t`Type an amount from 0 to ${formatMoney(amount.most, amount.currency)}.`
              : undefined
          }
          onChange={(event) => setTyped(event.target.value)}
        />
      ) : null}
      <TextArea
        label={props.label}
        optional={optional}
        maxLength={max}
        length={note.length}
        rows={3}
        value={note}
        error={
          tried && missing
            ? t`Write a sentence about it.`
            : tried && tooLong
              ? t`Keep it to ${max} characters.`
              : undefined
        }
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" kind={props.kind ?? 'go'} full busy={busy}>
        {props.send}
      </Button>
    </form>
  );
}
