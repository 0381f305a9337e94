import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { payForMinutes } from '@nearhand/contract/arithmetic';
import { limits } from '@nearhand/contract/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { useId, useState } from 'react';
import { formatCalendarDay, formatMoney, formatMonth, joined } from '../../lib/words/format.ts';
import { dayAfter } from '../../lib/words/zoned-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import './also-on.css';
import { daysOf, eachDay, weekdayLetters, weekStart } from '../calendar/calendar.rules.ts';
import { headCountOf, type JobForm, type JobSetting, typedPaidMinutes, typedPay } from './job-form.rules.ts';

const weeksAtFirst = 3;

/** The chosen days on which the shift can still be posted too, soonest first: not its own, and not behind. */
export const otherDays = (form: JobForm, alsoOn: readonly string[], today: string): string[] =>
  form.kind !== 'shift' || form.instantHire || form.day === ''
    ? []
    : alsoOn.filter((day) => isPossible(day, form.day, today)).sort();

/** How many other days the business can post on at once: an unverified one has few open jobs. */
export const otherDaysMax = (
  { status, openJobs }: Pick<Business, 'status' | 'openJobs'>,
  openWhileUnverified: number,
): number => (status === 'verified' ? limits.alsoOnDaysMax : Math.max(0, openWhileUnverified - openJobs - 1));

const isPossible = (day: string, ownDay: string, today: string): boolean =>
  day !== ownDay && day >= today && day <= dayAfter(ownDay, limits.alsoOnWeeksMax * 7);

type AlsoOnProps = {
  form: JobForm;
  setting: JobSetting;
  /** From `otherDaysMax`. */
  daysMax: number;
  today: string;
  days: readonly string[];
  onChange: (days: string[]) => void;
};

/** Picks other days for the same shift, with what all of them pay. Weekdays can be picked for all shown weeks at once. */
export function AlsoOn({ form, setting, daysMax, today, days, onChange }: AlsoOnProps) {
  const { t } = useLingui();
  const heading = useId();
  const [weeks, setWeeks] = useState(weeksAtFirst);
  if (form.kind !== 'shift' || form.day < today) return null;
  if (form.instantHire)
    return (
      <p className="help">
        <Trans>With instant hire, post each day as a job of its own.</Trans>
      </p>
    );
  const { first } = daysOf('week', form.day, weekStart());
  const calendarDays = eachDay({ first, last: dayAfter(first, weeks * 7 - 1) });
  const chosen = otherDays(form, days, today);
  const toggle = (group: string[]) => {
    const all = group.filter((day) => isPossible(day, form.day, today));
    const rest = chosen.filter((day) => !all.includes(day));
    onChange(all.every((day) => chosen.includes(day)) ? rest : [...rest, ...all].slice(0, daysMax));
  };
  return (
    <fieldset className="bare-set" aria-labelledby={heading}>
      <p className="mid" id={heading}>
        {t`Also on`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      <p className="help">
        <Trans>The same shift on other days, each posted as a job of its own.</Trans>
      </p>
      {daysMax < limits.alsoOnDaysMax ? (
        <p className="help">
          <Plural
            value={daysMax}
            one="Until your business is verified, you can add # day."
            other="Until your business is verified, you can add # days."
          />
        </p>
      ) : null}
      <div className="also-on">
        {calendarDays.slice(0, 7).map((day, column) => (
          <button
            key={day}
            type="button"
            className="xs mute"
            aria-label={t`Every ${weekdayLetters(day, 'long')}`}
            onClick={() => toggle(calendarDays.filter((_, at) => at % 7 === column))}
          >
            {weekdayLetters(day)}
          </button>
        ))}
        {calendarDays.map((day, at) => (
          <button
            key={day}
            type="button"
            className="num"
            disabled={!isPossible(day, form.day, today)}
            aria-pressed={day === form.day || chosen.includes(day)}
            aria-label={formatCalendarDay(day, { style: 'long', now: setting.now })}
            onClick={() => toggle([day])}
          >
            {Number(day.slice(8))}
            {at === 0 || day.endsWith('-01') ? (
              <span className="xs">{formatMonth(day.slice(0, 7), 'short')}</span>
            ) : null}
          </button>
        ))}
      </div>
      {weeks < limits.alsoOnWeeksMax ? (
        <Button kind="text" size="s" onClick={() => setWeeks(weeks + weeksAtFirst)}>
          {t`Show more weeks`}
        </Button>
      ) : null}
      <AllDays form={form} setting={setting} days={chosen} />
    </fieldset>
  );
}

/** How many shifts are posted, on which other days, and what all of them pay. Nothing without other days. */
export function AllDays({ form, setting, days }: Pick<AlsoOnProps, 'form' | 'setting' | 'days'>) {
  if (days.length === 0) return null;
  const count = days.length + 1;
  const others = joined(...days.map((day) => formatCalendarDay(day, { now: setting.now })));
  const pay = typedPay(form, setting.currency);
  const minutes = typedPaidMinutes(form, setting.timeZone);
  const people = headCountOf(form);
  const sum =
    pay === null || minutes === null || people === null
      ? null
      : formatMoney(payForMinutes(pay, minutes) * people * count, setting.currency);
  return (
    <p className="help" aria-live="polite">
      {sum === null ? (
        <Trans>
          {count} shifts: also on {others}.
        </Trans>
      ) : (
        <Trans>
          {count} shifts: also on {others}. The pay for all of them is {sum}.
        </Trans>
      )}
    </p>
  );
}
