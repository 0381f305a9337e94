import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { type ReactNode, useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { useInterviewMove } from './use-interview-move.ts';

type ReasonFormProps = {
  children?: ReactNode;
  label: string;
  send: string;
  kind?: ButtonKind;
  optional?: boolean;
  onSend: (reason: string) => Promise<unknown>;
  onDone: () => void;
};

/** A sentence and a button: calling off, contesting. */
export function ReasonForm({
  children,
  label,
  send,
  kind = 'go',
  optional = false,
  onSend,
  onDone,
}: ReasonFormProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const { run, busy, refusal } = useInterviewMove();
  const max = limits.reasonMax;
  const missing = !optional && reason.trim() === '';
  const tooLong = reason.trim().length > max;
  const submit = async () => {
    setTried(true);
    if (missing || tooLong) return;
    if (await run(() => onSend(reason.trim()))) onDone();
  };
  return (
    <form
      className="interview-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
      <TextArea
        label={label}
        optional={optional}
        rows={3}
        maxLength={max}
        length={reason.length}
        value={reason}
        error={
          tried && missing
            ? t`Write a sentence about it.`
            : tried && tooLong
              ? t`Keep it to ${max} characters.`
              : undefined
        }
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" kind={kind} full busy={busy}>
        {send}
      </Button>
    </form>
  );
}
