import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Terms } from '@nearhand/contract/work/terms';
import { earliestHoursBeforePlan, latestHoursAfterPlan } from '@nearhand/contract/work/timesheets.rules';
import type { Problems } from '../../lib/forms/form-model.ts';
import { clockIn, plainTime, skippedText } from '../../lib/words/zoned-time.ts';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { RepeatedTimes } from '../../ui/controls/span-fields.tsx';
import type { HoursFieldProblem, TypedHours } from './hours.rules.ts';

type HoursField = keyof TypedHours;

type HoursFieldsProps = {
  typed: TypedHours;
  timeZone: string;
  onChange: (part: Partial<TypedHours>) => void;
  help: string;
  problems: Problems<HoursField>;
  idOf: (field: HoursField) => string;
};

export function HoursFields({ typed, timeZone, onChange, help, problems, idOf }: HoursFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        type="date"
        label={t`Day`}
        id={idOf('day')}
        value={typed.day}
        error={problems.day}
        onChange={(event) => onChange({ day: event.target.value })}
      />
      <div className="form-two">
        <TextInput
          type="time"
          label={t`From`}
          id={idOf('from')}
          value={plainTime(typed.from)}
          error={problems.from}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <TextInput
          type="time"
          label={t`To`}
          id={idOf('to')}
          value={plainTime(typed.to)}
          error={problems.to}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </div>
      <RepeatedTimes typed={typed} timeZone={timeZone} onChange={onChange} />
      <TextInput
        label={t`Break`}
        after={t`min`}
        inputMode="numeric"
        autoComplete="off"
        help={help}
        error={problems.breakMinutes}
        id={idOf('breakMinutes')}
        value={typed.breakMinutes}
        onChange={(event) => onChange({ breakMinutes: event.target.value })}
      />
    </>
  );
}

type PlannedTimes = Pick<Terms, 'startsAt' | 'endsAt' | 'timeZone'>;

const isOvernight = ({ startsAt, endsAt, timeZone }: PlannedTimes): boolean =>
  startsAt !== null && endsAt !== null && clockIn(startsAt, timeZone).day !== clockIn(endsAt, timeZone).day;

/**
 * The problem of typed hours at its field. An end before the start falls on the next day, which is too late unless
 * the shift was planned past midnight.
 */
export function hoursProblems(
  problem: HoursFieldProblem,
  typed: TypedHours,
  plan: PlannedTimes,
): Problems<HoursField> {
  const isNextDay = plainTime(typed.to) < plainTime(typed.from);
  if (isNextDay && !isOvernight(plan) && (problem === 'too-late' || problem === 'future'))
    return { to: t`The end is before the start. Change one of them.` };
  switch (problem) {
    case 'time':
      if (!typed.day) return { day: t`Choose a day.` };
      return typed.from ? { to: t`Choose an end time.` } : { from: t`Choose a start time.` };
    case 'from-skipped':
      return { from: skippedText(typed.from) };
    case 'to-skipped':
      return { to: skippedText(typed.to) };
    case 'same':
      return { to: t`Start and end are the same. Change one of them.` };
    case 'break':
      return { breakMinutes: t`The break must be shorter than the shift.` };
    case 'too-early':
      return {
        from: t`Start at most ${earliestHoursBeforePlan} hours before the agreed time.`,
      };
    case 'too-late':
      return { to: t`End at most ${latestHoursAfterPlan} hours after the agreed time.` };
    case 'future':
      return { to: t`End time is in the future.` };
  }
}
