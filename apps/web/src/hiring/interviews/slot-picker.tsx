import { t as tr } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatDate } from '../../lib/words/format.ts';
import {
  clockIn,
  instantAt,
  plainTime,
  skippedText,
  skippedTime,
  zoneTown,
} from '../../lib/words/zoned-time.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { RepeatedTimes } from '../../ui/controls/span-fields.tsx';
import { type ClashOf, takesDespite } from './clashes.ts';
import { inOwnZone } from './interview.labels.ts';
import { quickSlots, type SlotProblem, slotProblem, withSlot } from './interview-slots.rules.ts';

type SlotPickerProps = {
  id: string;
  legend: string;
  slots: readonly string[];
  onChange: (slots: string[]) => void;
  timeZone: string;
  now: Date;
  workStartsAt?: string | null;
  decideBy?: string | null;
  /** Times that these would replace, and why none of them can be added. */
  standing?: readonly string[];
  standingText?: string;
  clashOf?: ClashOf;
  /** The number of times that can be added; as many as one proposal has by default. */
  max?: number;
  error?: string;
};

function problemText(
  problem: SlotProblem,
  standingText: string | undefined,
  decideBy: string,
  max: number,
): string {
  const { interviewAheadDays: days } = hiringLimits;
  switch (problem) {
    case 'no-time':
      return tr`Choose a day and a time.`;
    case 'past':
      return tr`That time has passed.`;
    case 'too-far':
      return tr`Choose times within the next ${days} days.`;
    case 'repeated':
      return tr`You've already added that time.`;
    case 'standing':
      return standingText ?? tr`That's the current time.`;
    case 'after-start':
      return tr`Choose a time before the work starts.`;
    case 'after-decide-by':
      return tr`Choose a time before ${decideBy}: the application closes then if you haven't decided.`;
    case 'too-many':
      return tr`You can add up to ${max} times.`;
  }
}

/** The picked and suggested times, and the time that is typed. */
function useSlots(props: SlotPickerProps) {
  const { slots, onChange, timeZone, now, workStartsAt = null, decideBy = null, standing = [] } = props;
  const { clashOf = () => null, max = hiringLimits.interviewSlotsMax } = props;
  const [day, setDay] = useState('');
  const [time, setTime] = useState('');
  const [problem, setProblem] = useState<SlotProblem | null>(null);
  const dayInput = useRef<HTMLInputElement>(null);
  const bounds = { standing, workStartsAt, decideBy, max };
  const end = [workStartsAt, decideBy]
    .filter((at) => at !== null)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  const quick = quickSlots(now, timeZone, 6, end ?? null).filter(
    (instant) =>
      slots.includes(instant) ||
      (slotProblem(instant, [], now, bounds) === null && !clashOf(instant)?.isFirm),
  );
  const add = (instant: string | null, onAdded?: () => void) => {
    const newProblem = slotProblem(instant, slots, now, bounds);
    setProblem(newProblem);
    if (newProblem !== null || instant === null) return;
    const take = () => {
      onChange(withSlot(slots, instant));
      onAdded?.();
    };
    const clash = clashOf(instant);
    if (!clash?.isFirm) return take();
    void takesDespite(clash).then((isTaken) => isTaken && take());
  };
  const remove = (instant: string) => {
    setProblem(null);
    onChange(slots.filter((slot) => slot !== instant));
  };
  const addTyped = () =>
    add(instantAt(day, time, timeZone), () => {
      setTime('');
      dayInput.current?.focus();
    });
  return { day, setDay, time, setTime, dayInput, problem, quick, add, addTyped, remove };
}

/** One to five times by day and time, with common suggestions. Enter in the time field adds one. */
export function SlotPicker(props: SlotPickerProps) {
  const { id, legend, slots, timeZone, now, decideBy = null, error, standingText } = props;
  const { max = hiringLimits.interviewSlotsMax } = props;
  const { t } = useLingui();
  const town = zoneTown(timeZone);
  const { day, setDay, time, setTime, dayInput, problem, quick, add, addTyped, remove } = useSlots(props);
  const isSkipped = skippedTime({ day, from: time, to: '' }, timeZone) === 'from';
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    addTyped();
  };
  return (
    <fieldset className="slot-picker" aria-describedby={`${id}-slots`}>
      <legend className="flabel">{legend}</legend>
      {quick.length > 0 ? (
        <Chips label={t`Suggested times`} wrap>
          {quick.map((instant) => {
            const on = slots.includes(instant);
            return (
              <Chip
                key={instant}
                pressed={on}
                icon={on ? 'check' : 'plus'}
                onClick={() => (on ? remove(instant) : add(instant))}
              >
                {formatDate(instant, timeZone, now)}
              </Chip>
            );
          })}
        </Chips>
      ) : null}
      <div className="slot-add">
        <TextInput
          ref={dayInput}
          id={id}
          type="date"
          label={t`Day`}
          min={clockIn(now.toISOString(), timeZone).day}
          value={day}
          onKeyDown={onKey}
          onChange={(event) => setDay(event.target.value)}
        />
        <TextInput
          type="time"
          label={t`Time`}
          value={plainTime(time)}
          onKeyDown={onKey}
          onChange={(event) => setTime(event.target.value)}
        />
        <Button kind="out" icon="plus" disabled={slots.length >= max} onClick={addTyped}>
          {t`Add`}
        </Button>
      </div>
      <RepeatedTimes
        typed={{ day, from: time, to: '' }}
        timeZone={timeZone}
        onChange={({ from = '' }) => setTime(from)}
      />
      {/* Below the choices, so that they don't move under the pointer. */}
      <SlotList {...props} onRemove={remove} />
      <FieldNote
        id={`${id}-slots`}
        error={
          isSkipped
            ? skippedText(time)
            : problem
              ? problemText(problem, standingText, decideBy ? formatDate(decideBy, timeZone, now) : '', max)
              : error
        }
        help={t`${town} time. ${slots.length} of ${max} added.`}
      />
    </fieldset>
  );
}

function SlotList({
  slots,
  timeZone,
  now,
  clashOf,
  onRemove,
}: SlotPickerProps & { onRemove: (slot: string) => void }) {
  const { t } = useLingui();
  if (slots.length === 0) return null;
  return (
    <ul className="slot-list">
      {slots.map((slot) => {
        const ownTime = inOwnZone(slot, timeZone, now);
        const words = formatDate(slot, timeZone, now);
        const clash = clashOf?.(slot);
        return (
          <li key={slot} className="slot-row">
            <span className="grow">
              <span className="mid num block">{words}</span>
              {ownTime ? (
                <span className="sm mute num block">
                  <Trans>{ownTime} your time</Trans>
                </span>
              ) : null}
              {clash ? <span className="sm mute block">{clash.text}</span> : null}
            </span>
            <IconButton icon="x" label={t`Remove ${words}`} onClick={() => onRemove(slot)} />
          </li>
        );
      })}
    </ul>
  );
}
