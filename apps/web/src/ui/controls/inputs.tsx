import { useLingui } from '@lingui/react/macro';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useState,
} from 'react';
import { Icon } from '../art/icon.tsx';
import type { IconName } from '../art/icon-names.ts';
import { Field, type FieldText } from './field.tsx';
import { joinIds, useAvailability } from './needs-network.tsx';

type TextInputProps = FieldText &
  InputHTMLAttributes<HTMLInputElement> & {
    icon?: IconName;
    before?: ReactNode;
    after?: ReactNode;
    /** True if each change runs on the server (ADR 341). */
    needsNetwork?: boolean;
    ref?: Ref<HTMLInputElement>;
  };

/** Limits below this belong to codes and numbers, where an excess is noticed without a counter. */
const shownLimitFrom = 40;
const nearLimit = 0.9;

/** True close to the limit, beyond which the browser silently drops text. */
const isNearLimit = ({ value, maxLength }: InputHTMLAttributes<HTMLInputElement>): boolean =>
  typeof value === 'string' &&
  maxLength !== undefined &&
  maxLength >= shownLimitFrom &&
  value.length >= maxLength * nearLimit;

export function TextInput({
  label,
  help,
  error,
  optional,
  icon,
  before,
  after,
  id,
  needsNetwork = false,
  ...rest
}: TextInputProps) {
  const { offline, reasonId, reason } = useAvailability(needsNetwork && !rest.disabled);
  const { t } = useLingui();
  const { maxLength = 0 } = rest;
  const length = String(rest.value ?? '').length;
  const aside = isNearLimit(rest) ? t`${length} of ${maxLength}` : undefined;
  const classes = `inp${error ? ' err' : ''}${offline ? ' offline' : ''}`;
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id} aside={aside}>
      {(control) => {
        const field = {
          type: 'text',
          ...rest,
          ...control,
          ...(offline
            ? { readOnly: true, 'aria-describedby': joinIds(control['aria-describedby'], reasonId) }
            : {}),
        };
        return (
          <>
            {icon || before || after ? (
              <span className={classes}>
                {icon ? <Icon name={icon} className="mute" /> : null}
                {before ? <span className="mute">{before}</span> : null}
                <input {...field} className="bare" />
                {after ? <span className="mute">{after}</span> : null}
              </span>
            ) : (
              <input {...field} className={classes} />
            )}
            {reason}
          </>
        );
      }}
    </Field>
  );
}

type PasswordInputProps = Omit<TextInputProps, 'type' | 'icon' | 'before' | 'after' | 'needsNetwork'> & {
  autoComplete: 'current-password' | 'new-password';
};

export function PasswordInput({ label, help, error, optional, id, ...rest }: PasswordInputProps) {
  const { t } = useLingui();
  const [isVisible, setIsVisible] = useState(false);
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(control) => (
        <span className={`inp with-ib${error ? ' err' : ''}`}>
          <input
            {...rest}
            {...control}
            type={isVisible ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className="bare"
          />
          <button
            type="button"
            className="ib"
            aria-label={isVisible ? t`Hide password` : t`Show password`}
            onClick={() => setIsVisible(!isVisible)}
          >
            <Icon name={isVisible ? 'eye-slash' : 'eye'} />
          </button>
        </span>
      )}
    </Field>
  );
}

type TextAreaProps = FieldText &
  TextareaHTMLAttributes<HTMLTextAreaElement> & {
    length?: number;
    ref?: Ref<HTMLTextAreaElement>;
  };

/** Several lines of text. Counts instead of truncating: the limit is shown, and checked when sent. */
export function TextArea({
  label,
  help,
  error,
  optional,
  id,
  length,
  maxLength,
  rows = 5,
  ...rest
}: TextAreaProps) {
  const { t } = useLingui();
  const aside = maxLength && length !== undefined ? t`${length} of ${maxLength}` : undefined;
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id} aside={aside}>
      {(control) => <textarea {...rest} {...control} rows={rows} className={`inp${error ? ' err' : ''}`} />}
    </Field>
  );
}
