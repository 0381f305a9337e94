import { useLingui } from '@lingui/react/macro';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useState,
} from 'react';
import { Icon } from '../art/icon.tsx';
import type { IconName } from '../art/icon-names.ts';
import { Field, type FieldText } from './field.tsx';

type TextInputProps = FieldText &
  InputHTMLAttributes<HTMLInputElement> & {
    icon?: IconName;
    /** Before and after the input, for example a currency symbol or a unit. */
    before?: ReactNode;
    after?: ReactNode;
    ref?: Ref<HTMLInputElement>;
  };

/** One line of text. */
export function TextInput({
  label,
  help,
  error,
  optional,
  icon,
  before,
  after,
  id,
  ...rest
}: TextInputProps) {
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(control) =>
        icon || before || after ? (
          <span className={`inp${error ? ' err' : ''}`}>
            {icon ? <Icon name={icon} className="mute" /> : null}
            {before ? <span className="mute">{before}</span> : null}
            <input type="text" {...rest} {...control} className="bare" />
            {after ? <span className="mute">{after}</span> : null}
          </span>
        ) : (
          <input type="text" {...rest} {...control} className={`inp${error ? ' err' : ''}`} />
        )
      }
    </Field>
  );
}

type PasswordInputProps = Omit<TextInputProps, 'type' | 'icon' | 'before' | 'after'> & {
  autoComplete: 'current-password' | 'new-password';
};

/** A password, with a button to show it. */
export function PasswordInput({ label, help, error, optional, id, ...rest }: PasswordInputProps) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(control) => (
        <span className={`inp with-ib${error ? ' err' : ''}`}>
          <input
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className="bare"
          />
          <button
            type="button"
            className="ib"
            aria-label={shown ? t`Hide password` : t`Show password`}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-slash' : 'eye'} />
          </button>
        </span>
      )}
    </Field>
  );
}

type TextAreaProps = FieldText &
  TextareaHTMLAttributes<HTMLTextAreaElement> & {
    /** Characters used, shown next to the help if `maxLength` is given. */
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

type SelectProps = FieldText &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly { value: string; label: string }[];
    /** The empty first option. */
    placeholder?: string;
    ref?: Ref<HTMLSelectElement>;
  };

/** A short list, in the device's native control. */
export function Select({ label, help, error, optional, id, options, placeholder, ...rest }: SelectProps) {
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(control) => (
        <span className={`inp select${error ? ' err' : ''}`}>
          <select {...rest} {...control} className="bare">
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="caret-down" className="select-caret" />
        </span>
      )}
    </Field>
  );
}
