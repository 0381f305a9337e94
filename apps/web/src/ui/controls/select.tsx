import type { Ref, SelectHTMLAttributes } from 'react';
import { Icon } from '../art/icon.tsx';
import { Field, type FieldText } from './field.tsx';
import { type Availability, joinIds, useAvailability } from './needs-network.tsx';

type SelectProps = FieldText &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly { value: string; label: string }[];
    placeholder?: string;
    /** True if a choice runs on the server, or shows what only the server has (ADR 341). */
    needsNetwork?: boolean;
    ref?: Ref<HTMLSelectElement>;
  };

/** A short list, in the device's native control. An unavailable list doesn't open. */
export function Select({
  label,
  help,
  error,
  optional,
  id,
  options,
  placeholder,
  needsNetwork = false,
  ...rest
}: SelectProps) {
  const availability = useAvailability(needsNetwork && !rest.disabled);
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(control) => (
        <>
          <span className={`inp select${error ? ' err' : ''}${availability.offline ? ' offline' : ''}`}>
            <select {...rest} {...control} className="bare" {...selectAvailability(availability, control)}>
              {placeholder === undefined ? null : <option value="">{placeholder}</option>}
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
            <Icon name="caret-down" className="select-caret" />
          </span>
          {availability.reason}
        </>
      )}
    </Field>
  );
}

/** An unavailable native list stays focusable, so the reason is read; nothing opens it. */
export const selectAvailability = (
  { offline, reasonId }: Availability,
  control: { 'aria-describedby'?: string } = {},
): SelectHTMLAttributes<HTMLSelectElement> =>
  offline
    ? {
        'aria-disabled': true,
        'aria-describedby': joinIds(control['aria-describedby'], reasonId),
        onChange: () => {},
        onMouseDown: (event) => {
          event.preventDefault();
          event.currentTarget.focus();
        },
        onKeyDown: (event) => {
          if (event.key !== 'Tab') event.preventDefault();
        },
      }
    : {};
