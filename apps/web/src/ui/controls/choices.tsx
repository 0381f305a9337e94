import { useLingui } from '@lingui/react/macro';
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { countOf, countProblem } from '../../lib/forms/typed-count.ts';
import { Icon } from '../art/icon.tsx';
import { FieldNote } from './field.tsx';
import { joinIds, useAvailability } from './needs-network.tsx';

type BoxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode;
  help?: ReactNode;
  error?: string;
  ref?: Ref<HTMLInputElement>;
};

/** React resets a controlled input if no state change follows its event. */
const ignoreChange = () => {};

/** An option applied at once; `needsNetwork` if the server applies it (ADR 341). */
export function Switch({
  label,
  help,
  error,
  id,
  needsNetwork = false,
  onChange,
  ...rest
}: BoxProps & { needsNetwork?: boolean }) {
  const ownId = useId();
  const noteId = `${id ?? ownId}-note`;
  const { offline, reasonId, reason } = useAvailability(needsNetwork && !rest.disabled);
  return (
    <div>
      <label className={offline ? 'choice offline' : 'choice'} htmlFor={id ?? ownId}>
        <span className="grow">
          <span className="mid">{label}</span>
          {help ? <span className="sm mute block">{help}</span> : null}
        </span>
        <input
          {...rest}
          id={id ?? ownId}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox already exposes its checked state.
          role="switch"
          className="switch"
          aria-invalid={error ? true : undefined}
          aria-disabled={offline || undefined}
          aria-describedby={joinIds(error && noteId, reasonId)}
          onChange={offline ? ignoreChange : onChange}
        />
      </label>
      {reason}
      <FieldNote id={noteId} error={error} />
    </div>
  );
}

export function Check({ label, help, error, id, ...rest }: BoxProps) {
  const ownId = useId();
  const noteId = `${id ?? ownId}-note`;
  return (
    <div>
      <label className="choice" htmlFor={id ?? ownId}>
        <span className="check-box">
          <input
            {...rest}
            id={id ?? ownId}
            type="checkbox"
            className="check"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? noteId : undefined}
          />
          <Icon name="check" />
        </span>
        <span className="grow">
          {label}
          {help ? <span className="sm mute block">{help}</span> : null}
        </span>
      </label>
      <FieldNote id={noteId} error={error} />
    </div>
  );
}

export type Choice<Value extends string> = {
  value: Value;
  label: ReactNode;
  help?: ReactNode;
  disabled?: boolean;
};

type GroupProps<Value extends string> = {
  legend: ReactNode;
  options: readonly Choice<Value>[];
  help?: ReactNode;
  error?: string;
  name?: string;
  columns?: boolean;
};

function Group({
  legend,
  help,
  error,
  columns,
  children,
}: Omit<GroupProps<string>, 'options' | 'name'> & { children: ReactNode }) {
  const id = useId();
  return (
    <fieldset
      className="choices"
      aria-describedby={help || error ? id : undefined}
      aria-invalid={error ? true : undefined}
    >
      <legend className="flabel">{legend}</legend>
      <div className={columns ? 'col g2 two' : 'col g2'}>{children}</div>
      <FieldNote id={id} help={help} error={error} />
    </fieldset>
  );
}

export function RadioGroup<Value extends string>({
  options,
  value,
  onChange,
  name,
  ...group
}: GroupProps<Value> & { value: Value | null; onChange: (value: Value) => void }) {
  const ownId = useId();
  return (
    <Group {...group}>
      {options.map((option) => (
        <label key={option.value} className={`opt${option.value === value ? ' on' : ''}`}>
          <input
            type="radio"
            className="radio"
            name={name ?? ownId}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <ChoiceText option={option} />
        </label>
      ))}
    </Group>
  );
}

export function CheckGroup<Value extends string>({
  options,
  value,
  onChange,
  name,
  ...group
}: GroupProps<Value> & { value: readonly Value[]; onChange: (value: Value[]) => void }) {
  return (
    <Group {...group}>
      {options.map((option) => {
        const on = value.includes(option.value);
        return (
          <label key={option.value} className={`opt${on ? ' on' : ''}`}>
            <span className="check-box">
              <input
                type="checkbox"
                className="check"
                name={name}
                checked={on}
                disabled={option.disabled}
                onChange={() =>
                  onChange(
                    on ? value.filter((selected) => selected !== option.value) : [...value, option.value],
                  )
                }
              />
              <Icon name="check" />
            </span>
            <ChoiceText option={option} />
          </label>
        );
      })}
    </Group>
  );
}

function ChoiceText({ option }: { option: Choice<string> }) {
  return (
    <span className="grow">
      <span className="mid">{option.label}</span>
      {option.help ? <span className="sm mute block">{option.help}</span> : null}
    </span>
  );
}

type StepperProps = {
  id?: string;
  label: string;
  /** The typed value; it may be empty or wrong, which `countProblem` describes. */
  value: string;
  onChange: (value: string) => void;
  min: number;
  max: number;
  help?: ReactNode;
  error?: string;
};

export function Stepper({
  id: givenId,
  label,
  value,
  onChange,
  min,
  max,
  help,
  error: refused,
}: StepperProps) {
  const { t } = useLingui();
  const ownId = useId();
  const id = givenId ?? ownId;
  const count = countOf(value, { min, max });
  // An empty field is only a problem once the form is sent.
  const error = refused ?? (value.trim() === '' ? undefined : countProblem(value, { min, max }));
  const step = (by: number) => onChange(String(Math.min(max, Math.max(min, (count ?? min - by) + by))));
  return (
    <div className="field">
      <label className="flabel" htmlFor={id}>
        {label}
      </label>
      <span className={`inp stepper${error ? ' err' : ''}`}>
        <button
          type="button"
          className="ib"
          aria-label={t`Less`}
          disabled={count === min}
          onClick={() => step(-1)}
        >
          <Icon name="minus" />
        </button>
        <input
          id={id}
          className="bare num ctr"
          inputMode="numeric"
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={help || error ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        <button
          type="button"
          className="ib"
          aria-label={t`More`}
          disabled={count === max}
          onClick={() => step(1)}
        >
          <Icon name="plus" />
        </button>
      </span>
      <FieldNote id={`${id}-note`} help={help} error={error} />
    </div>
  );
}
