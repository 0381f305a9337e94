import { useLingui } from '@lingui/react/macro';
import { plainTime, repeatedTimes, type TypedSpan, withRepeat } from '../../lib/words/zoned-time.ts';
import { RadioGroup } from './choices.tsx';
import { TextInput } from './inputs.tsx';

type RepeatedTimesProps = {
  typed: TypedSpan;
  timeZone: string;
  onChange: (part: Partial<Pick<TypedSpan, 'from' | 'to'>>) => void;
};

/** Asks which occurrence of a repeated time is meant, in the night when the clocks go back. */
export function RepeatedTimes({ typed, timeZone, onChange }: RepeatedTimesProps) {
  const { t } = useLingui();
  return repeatedTimes(typed, timeZone).map(({ field, time, isSecond }) => (
    <div key={field} className="mt3">
      <RadioGroup
        legend={
          field === 'from' ? t`Start: ${time} comes twice that night` : t`End: ${time} comes twice that night`
        }
        columns
        options={[
          { value: 'before', label: t`Before the clocks go back` },
          { value: 'after', label: t`After the clocks go back` },
        ]}
        value={isSecond ? 'after' : 'before'}
        onChange={(choice) => onChange({ [field]: withRepeat(time, choice === 'after') })}
      />
    </div>
  ));
}

type SpanFieldsProps = {
  idOf: (field: keyof TypedSpan) => string;
  typed: TypedSpan;
  problems: Partial<Record<keyof TypedSpan, string>>;
  /** The first day that can be picked, as YYYY-MM-DD. */
  firstDay: string;
  timeZone: string;
  onChange: (part: Partial<TypedSpan>) => void;
};

/** The day, start and end of a shift by the clock of its place, with `RepeatedTimes`. */
export function SpanFields({ idOf, typed, problems, firstDay, timeZone, onChange }: SpanFieldsProps) {
  const { t } = useLingui();
  return (
    <div>
      <div className="form-pair three">
        <TextInput
          id={idOf('day')}
          type="date"
          label={t`Day`}
          min={firstDay}
          value={typed.day}
          error={problems.day}
          onChange={(event) => onChange({ day: event.target.value })}
        />
        <TextInput
          id={idOf('from')}
          type="time"
          label={t`From`}
          value={plainTime(typed.from)}
          error={problems.from}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <TextInput
          id={idOf('to')}
          type="time"
          label={t`To`}
          value={plainTime(typed.to)}
          error={problems.to}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </div>
      <RepeatedTimes typed={typed} timeZone={timeZone} onChange={onChange} />
    </div>
  );
}
