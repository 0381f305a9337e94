import { useLingui } from '@lingui/react/macro';
import { TextInput } from '../../ui/inputs.tsx';
import type { HoursTrouble, TypedHours } from './hours.rules.ts';

type HoursFieldsProps = {
  typed: TypedHours;
  onChange: (part: Partial<TypedHours>) => void;
  help: string;
  error: string | undefined;
};

/** Day, start, end and break, on clocks of the place. */
export function HoursFields({ typed, onChange, help, error }: HoursFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        type="date"
        label={t`Day`}
        value={typed.day}
        onChange={(event) => onChange({ day: event.target.value })}
      />
      <div className="form-two">
        <TextInput
          type="time"
          label={t`From`}
          value={typed.from}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <TextInput
          type="time"
          label={t`To`}
          value={typed.to}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </div>
      <TextInput
        label={t`Break`}
        after={t`min`}
        inputMode="numeric"
        autoComplete="off"
        help={help}
        error={error}
        value={typed.breakMinutes}
        onChange={(event) => onChange({ breakMinutes: event.target.value })}
      />
    </>
  );
}

/** What is wrong with hours that were typed. */
export function useHoursTrouble(): Record<HoursTrouble, string> {
  const { t } = useLingui();
  return {
    time: t`Fill in day, start and end.`,
    break: t`The break must be shorter than the work.`,
    'too-long': t`That is more than a day.`,
    future: t`The end lies ahead. Hours are sent when the work is done.`,
  };
}
