import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import { Icon } from '../art/icon.tsx';

export type FieldText = {
  label: ReactNode;
  help?: ReactNode;
  error?: string;
  optional?: boolean;
};

type FieldProps = FieldText & {
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
  id?: string;
  aside?: ReactNode;
};

/** Label above, control, help or error below. Every form control uses it. */
export function Field({ label, help, error, optional, children, id, aside }: FieldProps) {
  const { t } = useLingui();
  const ownId = useId();
  const controlId = id ?? ownId;
  const noteId = `${controlId}-note`;
  const hasNote = Boolean(help || error);
  return (
    <div className="field">
      <label className="flabel" htmlFor={controlId}>
        {label}
        {optional ? <span className="mute opt-mark"> · {t`optional`}</span> : null}
      </label>
      {children({
        id: controlId,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hasNote || aside ? (
        <div className="row g2 top">
          <FieldNote id={noteId} help={help} error={error} />
          {aside ? <span className="help end">{aside}</span> : null}
        </div>
      ) : null}
    </div>
  );
}

export function FieldNote({ id, help, error }: { id: string; help?: ReactNode; error?: string }) {
  if (error) {
    return (
      <p className="help err" id={id}>
        <Icon name="warning-circle" />
        {error}
      </p>
    );
  }
  return help ? (
    <p className="help" id={id}>
      {help}
    </p>
  ) : null;
}
