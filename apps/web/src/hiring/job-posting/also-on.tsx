import { t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { verificationPath } from '@nearhand/contract/app-paths';
import { payForMinutes, sumOf } from '@nearhand/contract/arithmetic';
import { addDays, dayMs, daysPerWeek, weekdayOf } from '@nearhand/contract/durations';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { limits } from '@nearhand/contract/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatCalendarDay, formatMoney, formatMonth, joined } from '../../lib/words/format.ts';
import { holidayOn } from '../../lib/words/holidays.ts';
import { clockIn, plainTime } from '../../lib/words/zoned-time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip } from '../../ui/controls/chip.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import './also-on.css';
import { daysOf, eachDay, weekdayLetters, weekStart } from '../calendar/calendar.rules.ts';
import type { JobFieldsProps } from './job-fields.tsx';
import { headCountOf, type JobForm, type JobSetting, typedPaidMinutes, typedPay } from './job-form.rules.ts';
import { RepeatFields, workdays } from './repeat-fields.tsx';

const weeksAtFirst = 3;

/**
 * The chosen days on which the shift can still be posted too, soonest first: not its own day, and none whose
 * start has passed.
 */
export const otherDays = (form: JobForm, alsoOn: readonly string[], setting: JobSetting): string[] =>
  form.kind !== 'shift' || form.instantHire || form.day === ''
    ? []
    : alsoOn.filter((day) => isPossible(day, form, setting)).sort();

/** Says that instant hire leaves out the other days chosen. Renders nothing if there are none. */
export function OneShiftOnly({ form, setting, alsoOn }: JobFieldsProps) {
  if (otherDays({ ...form, instantHire: false }, alsoOn?.chosen ?? [], setting).length === 0) return null;
  const ownDay = formatCalendarDay(form.day, { now: setting.now });
  return (
    <Banner tone="wait" icon="info" live>
      <Trans>Instant hire makes one shift only, on {ownDay}. Post each other day as a job of its own.</Trans>
    </Banner>
  );
}

/** The number of other days that can be posted at once, which is smaller for an unverified business (ADR 410). */
export const otherDaysMax = ({ status }: Pick<Business, 'status'>): number =>
  status === 'verified' ? hiringLimits.alsoOnDaysMax : limits.datesWhileUnverified - 1;

function isPossible(day: string, { day: ownDay, from }: JobForm, { now, timeZone }: JobSetting): boolean {
  const today = clockIn(now.toISOString(), timeZone);
  const hasStarted = day < today.day || (day === today.day && from !== '' && from <= today.time);
  return day !== ownDay && !hasStarted && day <= addDays(ownDay, hiringLimits.alsoOnWeeksMax * 7);
}

type AlsoOnProps = {
  form: JobForm;
  setting: JobSetting;
  /** The maximum number of other days (`otherDaysMax`). */
  daysMax: number;
  today: string;
  /** The country whose holidays are marked. */
  country: string;
  days: readonly string[];
  onChange: (days: string[]) => void;
  id: string;
  error: string | undefined;
  /** True to hire for all days or none (ADR 414); absent where it can't be chosen. */
  block?: { isChosen: boolean; onChange: (isChosen: boolean) => void };
  /** The role and branch of the shift, whose days in the roster are marked. */
  planned: { businessId: string; title: string; branchId: string | null; draftId?: string };
};

/**
 * Picks other days for the same shift, one by one or by a repeat, with holidays and what all of them cost.
 * The calendar previews a repeat, and single days of it can be left out. Weekdays can be picked for all shown
 * weeks at once.
 */
export function AlsoOn(props: AlsoOnProps) {
  const { form, setting, daysMax, today, country, days, onChange, block, planned, id, error } = props;
  const { t } = useLingui();
  const heading = useId();
  const [chosenWeeks, setWeeks] = useState(weeksAtFirst);
  const [isRefused, setIsRefused] = useState(false);
  const [mode, setMode] = useState<'days' | 'repeat'>('days');
  const plannedDays = usePlannedDays(planned, form, chosenWeeks);
  if (form.kind === 'shift' && form.day === '' && !form.instantHire)
    return (
      <div>
        <p className="mid">
          {t`Also on`}
          <span className="mute opt-mark"> · {t`optional`}</span>
        </p>
        <p className="help">{t`Choose a day first. Then you can post the same shift on other days too.`}</p>
      </div>
    );
  if (form.kind !== 'shift' || form.day < today) return null;
  if (form.instantHire)
    return (
      <p className="help">
        <Trans>With instant hire, post each day as a job of its own.</Trans>
      </p>
    );
  const { first } = daysOf('week', form.day, weekStart());
  const chosenDays = otherDays(form, days, setting);
  const weeksOf = (day: string) => Math.floor((Date.parse(day) - Date.parse(first)) / (7 * dayMs)) + 1;
  // A repeat is shown to its end.
  const weeks = Math.max(chosenWeeks, weeksOf(chosenDays.at(-1) ?? form.day));
  const calendarDays = eachDay({ first, last: addDays(first, weeks * 7 - 1) });
  // The workdays after the shift's own day, in its week or else in the next one.
  const workdaysLater = calendarDays.filter(
    (day) => day > form.day && workdays.includes(weekdayOf(day)) && isPossible(day, form, setting),
  );
  const weekdays = workdaysLater.filter((day) => weeksOf(day) === weeksOf(workdaysLater[0] ?? form.day));
  const holidayName = (day: string) => holidayOn(country, day);
  const toggle = (group: string[]) => {
    const all = group.filter((day) => isPossible(day, form, setting));
    const rest = chosenDays.filter((day) => !all.includes(day));
    const isRemoval = all.every((day) => chosenDays.includes(day));
    setIsRefused(!isRemoval && rest.length + all.length > daysMax);
    onChange(isRemoval ? rest : [...rest, ...all].slice(0, daysMax));
  };
  return (
    <fieldset
      className="bare-set"
      aria-labelledby={heading}
      aria-describedby={error ? `${id}-note` : undefined}
      id={id}
      tabIndex={-1}
    >
      <p className="mid" id={heading}>
        {t`Also on`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      <p className="help">
        <Trans>The same shift on other days, each posted as a job of its own.</Trans>
      </p>
      {daysMax < hiringLimits.alsoOnDaysMax ? (
        <p className={isRefused ? 'help danger' : 'help'} role="status">
          <Trans>
            Until your business is verified, you can add up to {daysMax} days. Together they count as one open
            job.
          </Trans>{' '}
          <Link className="link" to={verificationPath(planned.businessId)}>{t`Verify your business`}</Link>
        </p>
      ) : null}
      <div className="row wrap g2 mt2">
        <Segmented
          label={t`How to choose the days`}
          options={[
            { value: 'days', label: t`Pick days` },
            { value: 'repeat', label: t`Repeat` },
          ]}
          value={mode}
          onChange={setMode}
        />
        {mode === 'days' && weekdays.length > 0 ? (
          <Chip
            pressed={weekdays.every((day) => chosenDays.includes(day))}
            onClick={() => toggle(weekdays)}
          >{t`Weekdays`}</Chip>
        ) : null}
      </div>
      {mode === 'repeat' ? (
        <RepeatFields
          key={form.day}
          first={form.day}
          week={calendarDays.slice(0, 7)}
          onChange={(repeated) => {
            const all = repeated.filter((day) => isPossible(day, form, setting));
            setIsRefused(all.length > daysMax);
            onChange(all.slice(0, daysMax));
          }}
        />
      ) : null}
      <Calendar
        days={calendarDays}
        ownDay={form.day}
        chosenDays={chosenDays}
        plannedDays={plannedDays}
        isDisabled={(day) => !isPossible(day, form, setting)}
        now={setting.now}
        isFull={chosenDays.length >= daysMax}
        holidayName={holidayName}
        onToggle={toggle}
        onRefuse={() => setIsRefused(true)}
      />
      <FieldNote id={`${id}-note`} error={error} />
      <DaysNotes
        daysMax={daysMax}
        isRefused={isRefused && daysMax === hiringLimits.alsoOnDaysMax}
        hasPlanned={calendarDays.some((day) => plannedDays.has(day))}
        hasHoliday={calendarDays.some((day) => isPossible(day, form, setting) && holidayName(day))}
      />
      {weeks < hiringLimits.alsoOnWeeksMax ? (
        <Button kind="text" size="s" onClick={() => setWeeks(weeks + weeksAtFirst)}>
          {t`Show more weeks`}
        </Button>
      ) : null}
      <Holidays
        days={[form.day, ...chosenDays]}
        country={country}
        now={setting.now}
        onLeaveOut={(day) => toggle([day])}
      />
      <AllDays form={form} setting={setting} days={chosenDays} />
      {block && chosenDays.length > 0 ? <BlockChoice {...block} /> : null}
      <WeekCosts form={form} setting={setting} days={chosenDays} />
    </fieldset>
  );
}

function BlockChoice({ isChosen, onChange }: NonNullable<AlsoOnProps['block']>) {
  const { t } = useLingui();
  return (
    <div className="mt3">
      <RadioGroup
        legend={t`How people apply`}
        options={[
          {
            value: 'own',
            label: t`Each shift on its own`,
            help: t`People choose the dates that they can work.`,
          },
          { value: 'block', label: t`All dates together`, help: allDatesText() },
        ]}
        value={isChosen ? 'block' : 'own'}
        onChange={(value) => onChange(value === 'block')}
      />
    </div>
  );
}

/** The meaning of a block, for its business before it is published. */
export const allDatesText = (): string =>
  t`Each person applies for all dates and is hired for all of them or none. You can’t change this once it is published.`;

type DaysNotesProps = {
  daysMax: number;
  /** True once more days than `daysMax` were picked. */
  isRefused: boolean;
  hasPlanned: boolean;
  hasHoliday: boolean;
};

function DaysNotes({ daysMax, isRefused, hasPlanned, hasHoliday }: DaysNotesProps) {
  const { t } = useLingui();
  return (
    <>
      {isRefused ? (
        <p className="help danger" role="status">
          <Plural
            value={daysMax}
            one="You can add # day. To pick another one, press the first one again to leave it out."
            other="You can add # days. To pick another one, press one of them again to leave it out."
          />
        </p>
      ) : null}
      {hasPlanned ? <p className="help">{t`Days with a dot have this shift already.`}</p> : null}
      {hasHoliday ? <p className="help">{t`Underlined days are public holidays.`}</p> : null}
    </>
  );
}

type CalendarProps = {
  days: readonly string[];
  ownDay: string;
  chosenDays: readonly string[];
  plannedDays: ReadonlySet<string>;
  isDisabled: (day: string) => boolean;
  now: Date;
  isFull: boolean;
  holidayName: (day: string) => string | null;
  onToggle: (days: string[]) => void;
  /** Called for a press on a day beyond the maximum. */
  onRefuse: () => void;
};

/** Whole weeks of days to press. A press on the head of a column picks that weekday in all weeks. */
function Calendar({
  days,
  ownDay,
  chosenDays,
  plannedDays,
  isDisabled,
  now,
  isFull,
  holidayName,
  onToggle,
  onRefuse,
}: CalendarProps) {
  const { t } = useLingui();
  const isBeyond = (day: string) => isFull && day !== ownDay && !chosenDays.includes(day);
  return (
    <div className="also-on">
      {days.slice(0, 7).map((day, column) => (
        <button
          key={day}
          type="button"
          className="xs mute"
          aria-label={t`Every ${weekdayLetters(day, 'long')}`}
          onClick={() => onToggle(days.filter((_, at) => at % 7 === column))}
        >
          {weekdayLetters(day)}
        </button>
      ))}
      {days.map((day, at) => (
        <button
          key={day}
          type="button"
          className={['num', holidayName(day) && 'holiday', plannedDays.has(day) && 'planned']
            .filter(Boolean)
            .join(' ')}
          disabled={isDisabled(day)}
          aria-disabled={isBeyond(day) || undefined}
          aria-pressed={day === ownDay || chosenDays.includes(day)}
          aria-label={joined(
            formatCalendarDay(day, { style: 'long', now: now }),
            holidayName(day),
            plannedDays.has(day) && t`planned already`,
          )}
          onClick={() => {
            if (isBeyond(day)) onRefuse();
            else onToggle([day]);
          }}
        >
          {Number(day.slice(8))}
          {at === 0 || day.endsWith('-01') ? (
            <span className="xs">{formatMonth(day.slice(0, 7), 'short')}</span>
          ) : null}
        </button>
      ))}
    </div>
  );
}

/** The days on which the roster has the same shift, in the week of the shift and those after it. */
function usePlannedDays(
  { businessId, draftId, title, branchId }: AlsoOnProps['planned'],
  form: JobForm,
  weeks: number,
): ReadonlySet<string> {
  const isAsked =
    form.kind === 'shift' &&
    !form.instantHire &&
    title !== '' &&
    [form.day, form.from, form.to].every(Boolean);
  const { first } = daysOf('week', isAsked ? form.day : '2000-01-01', weekStart());
  const { data } = useQuery({
    ...apiQuery.roster.sameShiftDays.queryOptions({
      input: {
        businessId,
        title,
        branchId: branchId ?? undefined,
        from: plainTime(form.from),
        to: plainTime(form.to),
        first,
        last: addDays(first, weeks * daysPerWeek - 1),
        exceptJobId: draftId,
      },
      ...neverPersist,
    }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return new Set(isAsked ? data?.days : []);
}

/** The chosen days that are public holidays, by name. The shift's own day can't be left out here. */
function Holidays({
  days: [own, ...otherDays],
  country,
  now,
  onLeaveOut,
}: {
  days: readonly string[];
  country: string;
  now: Date;
  onLeaveOut: (day: string) => void;
}) {
  const { t } = useLingui();
  const holidayNames = [own, ...otherDays].flatMap((day) => {
    const name = day ? holidayOn(country, day) : null;
    return day && name ? [{ day, name }] : [];
  });
  if (holidayNames.length === 0) return null;
  return (
    <ul className="col g1 mt2" aria-label={t`Public holidays`}>
      {holidayNames.map(({ day, name }) => (
        <li key={day} className="row g2 sm">
          <span className="grow">{joined(formatCalendarDay(day, { now }), name)}</span>
          {day === own ? null : (
            <Button
              kind="text"
              size="s"
              aria-label={t`Leave out ${formatCalendarDay(day, { now })}`}
              onClick={() => onLeaveOut(day)}
            >
              {t`Leave out`}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The cost of each week's shifts with Nearhand's fee, if there are at least two weeks. */
function WeekCosts({ form, setting, days }: Pick<AlsoOnProps, 'form' | 'setting' | 'days'>) {
  const { businessFeeBasisPoints } = useSettings();
  const { currency, timeZone, now } = setting;
  const payMinor = typedPay(form, currency);
  const headCount = headCountOf(form);
  if (payMinor === null || headCount === null) return null;
  // Each day by its own clock: a night over a change of clocks is an hour longer or shorter.
  const costOf = (day: string) =>
    jobCost({
      kind: 'shift',
      payMinor,
      headCount,
      paidMinutes: typedPaidMinutes({ ...form, day }, timeZone) ?? 0,
      businessFeeBasisPoints,
      workerFeeBasisPoints: 0,
    }).totalMinor;
  const shifts = [form.day, ...days].sort().map((day) => ({ day, costMinor: costOf(day) }));
  return <WeekCostList shifts={shifts} currency={currency} now={now} />;
}

/** The cost of shifts by week, in minor units, once there are two weeks of them. By day. */
export function WeekCostList({
  shifts,
  currency,
  now,
}: {
  shifts: readonly { day: string; costMinor: number }[];
  currency: JobSetting['currency'];
  now: Date;
}) {
  const { t } = useLingui();
  const weeks = Map.groupBy(shifts, ({ day }) => daysOf('week', day, weekStart()).first);
  if (weeks.size < 2) return null;
  return (
    <ul className="col g1 mt2 sm" aria-label={t`Cost by week`}>
      {[...weeks].map(([first, costs]) => (
        <li key={first} className="row g2">
          <span className="grow">
            {t`Week of ${formatCalendarDay(first, { now })}`},{' '}
            <Plural value={costs.length} one="# shift" other="# shifts" />
          </span>
          <span className="num">
            {formatMoney(
              sumOf(costs, ({ costMinor }) => costMinor),
              currency,
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The other days on which the shift is posted, and the pay of all of them. Renders nothing without other days. */
export function AllDays({ form, setting, days }: Pick<AlsoOnProps, 'form' | 'setting' | 'days'>) {
  if (days.length === 0) return null;
  const count = days.length + 1;
  const dayNames = joined(...days.map((day) => formatCalendarDay(day, { now: setting.now })));
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
          {count} shifts: also on {dayNames}.
        </Trans>
      ) : (
        <Trans>
          {count} shifts: also on {dayNames}. The pay for all of them is {sum}.
        </Trans>
      )}
    </p>
  );
}
