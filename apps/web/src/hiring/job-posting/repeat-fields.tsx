import { useLingui } from '@lingui/react/macro';
import { addDays, weekdayOf } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { useId, useState } from 'react';
import { countOf } from '../../lib/forms/typed-count.ts';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Stepper } from '../../ui/controls/choices.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { weekdayLetters, weekStart } from '../calendar/calendar.rules.ts';
import { lastRepeatDay, repeatedDays } from './repeat.rules.ts';

const everyWeeks = { min: 1, max: 8 };
export const workdays = [1, 2, 3, 4, 5];
const shifts = { min: 2, max: hiringLimits.alsoOnDaysMax + 1 };

/** The repeat as typed. */
type RepeatRule = {
  weekdays: number[];
  every: string;
  ends: 'after' | 'on';
  after: string;
  on: string;
};

/** Fields for a repeated shift: weekdays, an interval in weeks, and an end date or a number of shifts. */
export function RepeatFields({
  first,
  week,
  onChange,
}: {
  /** The shift's own day, and the seven days of its week. */
  first: string;
  week: readonly string[];
  onChange: (days: string[]) => void;
}) {
  const { t } = useLingui();
  const id = useId();
  const [rule, setRule] = useState<RepeatRule>({
    weekdays: [weekdayOf(first)],
    every: '1',
    ends: 'after',
    after: '',
    on: '',
  });
  const change = (part: Partial<RepeatRule>) => {
    const next = { ...rule, ...part };
    setRule(next);
    const ends = next.ends === 'on' ? { on: next.on } : { after: countOf(next.after, shifts) ?? 0 };
    const every = countOf(next.every, everyWeeks);
    onChange(
      every === null
        ? []
        : repeatedDays(first, { weekdays: next.weekdays, everyWeeks: every, ends }, weekStart()),
    );
  };
  const toggle = (weekday: number) =>
    change({
      weekdays: rule.weekdays.includes(weekday)
        ? rule.weekdays.filter((day) => day !== weekday)
        : [...rule.weekdays, weekday],
    });
  return (
    <div className="col g3 mt3">
      <Chips label={t`On these weekdays`} wrap>
        <Chip
          pressed={workdays.every((day) => rule.weekdays.includes(day)) && rule.weekdays.length === 5}
          onClick={() => change({ weekdays: workdays })}
        >
          {t`Weekdays`}
        </Chip>
        {week.map((day) => (
          <Chip
            key={day}
            label={weekdayLetters(day, 'long')}
            pressed={rule.weekdays.includes(weekdayOf(day))}
            onClick={() => toggle(weekdayOf(day))}
          >
            {weekdayLetters(day)}
          </Chip>
        ))}
      </Chips>
      <div className="form-pair">
        <Stepper
          id={`${id}-every`}
          label={t`Every how many weeks?`}
          {...everyWeeks}
          value={rule.every}
          onChange={(every) => change({ every })}
        />
        <EndFields id={id} first={first} rule={rule} onChange={change} />
      </div>
    </div>
  );
}

/** The end of the repeat: a number of shifts, or a day. */
function EndFields({
  id,
  first,
  rule,
  onChange,
}: {
  id: string;
  first: string;
  rule: RepeatRule;
  onChange: (part: Partial<RepeatRule>) => void;
}) {
  const { t } = useLingui();
  return (
    <div className="col g2">
      <p className="flabel" aria-hidden="true">
        {t`Ends`}
      </p>
      <Segmented
        label={t`Ends`}
        options={[
          { value: 'after', label: t`After a number` },
          { value: 'on', label: t`On a day` },
        ]}
        value={rule.ends}
        onChange={(ends) => onChange({ ends })}
      />
      {rule.ends === 'after' ? (
        <TextInput
          id={`${id}-after`}
          label={t`Number of shifts`}
          help={t`With the first one, up to ${shifts.max}.`}
          inputMode="numeric"
          autoComplete="off"
          value={rule.after}
          error={
            rule.after === '' || countOf(rule.after, shifts) !== null
              ? undefined
              : t`Enter a number from ${shifts.min} to ${shifts.max}.`
          }
          onChange={(event) => onChange({ after: event.target.value })}
        />
      ) : (
        <TextInput
          id={`${id}-on`}
          type="date"
          label={t`Last day`}
          help={t`Up to ${hiringLimits.alsoOnWeeksMax} weeks ahead.`}
          min={addDays(first, 1)}
          max={lastRepeatDay(first)}
          value={rule.on}
          error={
            rule.on === '' || (rule.on > first && rule.on <= lastRepeatDay(first))
              ? undefined
              : t`Choose a day after the first one, up to ${hiringLimits.alsoOnWeeksMax} weeks ahead.`
          }
          onChange={(event) => onChange({ on: event.target.value })}
        />
      )}
    </div>
  );
}
