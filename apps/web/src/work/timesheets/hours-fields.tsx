import { useLingui } from '@lingui/react/macro';
import { earliestHoursBeforePlan, latestHoursAfterPlan } from '@nearhand/contract/work/timesheets.rules';
import { TextInput } from '../../ui/inputs.tsx';
import type { HoursFieldProblem, TypedHours } from './hours.rules.ts';

type HoursFieldsProps = {
  typed: TypedHours;
  onChange: (part: Partial<TypedHours>) => void;
  help: string;
  error: string | undefined;
};

/** Day, start, end and break in the job's time zone. */
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

/** Validation messages for typed hours. */
export function useHoursProblem(): Record<HoursFieldProblem, string> {
  const { t } = useLingui();
  return {
    time: t`Enter the day, start time and end time.`,
    break: t`The break must be shorter than the shift.`,
    'outside-plan': t`Hours can start at most ${earliestHoursBeforePlan} hours before the agreed time and end at most ${latestHoursAfterPlan} hours after it.`,
    future: t`End time is in the future.`,
  };
}
