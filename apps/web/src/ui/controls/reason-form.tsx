import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { tooLong } from '../../lib/forms/too-long.ts';
import { Refused } from '../banner.tsx';
import { Button, type ButtonKind } from './button.tsx';
import { Form } from './form.tsx';
import { TextArea } from './inputs.tsx';

type ReasonFormProps = {
  children?: ReactNode;
  note?: {
    label: string;
    max: number;
    missing?: string;
    help?: string;
    draft: { value: string; set: (text: string) => void; drop: () => void };
  };
  send: string;
  kind?: ButtonKind;
  action: {
    run: (request: () => Promise<unknown>) => Promise<boolean>;
    busy: boolean;
    refusal: string | null;
  };
  onSend: (note: string) => Promise<unknown>;
  onDone: () => void;
  onClose?: () => void;
};

/** An action's consequences, an optional reason, and its button. Input stays when it is refused or closed. */
export function ReasonForm({
  children,
  note,
  send,
  kind = 'go',
  action,
  onSend,
  onDone,
  onClose,
}: ReasonFormProps) {
  const { t } = useLingui();
  const [tried, setTried] = useState(false);
  const text = note?.draft.value.trim() ?? '';
  const problem = note?.missing && text === '' ? note.missing : note && tooLong(text, note.max);
  const submit = async () => {
    setTried(true);
    if (problem || !(await action.run(() => onSend(text)))) return;
    note?.draft.drop();
    onDone();
  };
  return (
    <Form onSubmit={() => void submit()}>
      {children}
      {note ? (
        <TextArea
          label={note.label}
          help={note.help}
          optional={!note.missing}
          rows={3}
          maxLength={note.max}
          length={note.draft.value.length}
          value={note.draft.value}
          error={tried ? problem : undefined}
          onChange={(event) => note.draft.set(event.target.value)}
        />
      ) : null}
      <Refused text={action.refusal} />
      <div className="row g2 sheet-act">
        {onClose ? (
          <Button kind="quiet" className="grow" onClick={onClose}>
            {t`Not now`}
          </Button>
        ) : null}
        <Button kind={kind} type="submit" className="grow" busy={action.busy}>
          {send}
        </Button>
      </div>
    </Form>
  );
}
