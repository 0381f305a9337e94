import { useLingui } from '@lingui/react/macro';
import { repeatedTimes, type TypedSpan, withRepeat } from '../../lib/words/zoned-time.ts';
import { RadioGroup } from './choices.tsx';

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
