import { Trans, useLingui } from '@lingui/react/macro';
import { addDays, dayIn } from '@nearhand/contract/durations';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatCalendarDay, formatMonth, formatTime, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { readingKey } from '../../ui/controls/reading-direction.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useCalendar } from './calendar.api.ts';
import './calendar.css';
import { plural, t } from '@lingui/core/macro';
import type { IconName } from '../../ui/art/icon-names.ts';
import {
  type CalendarView,
  clashesOf,
  type Days,
  daysOf,
  eachDay,
  eventsByDay,
  isWholeDay,
  isWithinDays,
  keyOf,
  rangeOf,
  stepView,
  weekdayLetters,
  weekStart,
} from './calendar.rules.ts';
import { Subscribe } from './subscribe.tsx';

export function CalendarPart() {
  const { t } = useLingui();
  const now = useNow(60_000);
  const today = dayIn(ownTimeZone(), now);
  const [view, setView] = useState<CalendarView>('month');
  const [around, setAround] = useState(today);
  const [selected, setSelected] = useState<string | null>(null);
  const days = daysOf(view, around, weekStart());
  const query = useCalendar(rangeOf(days));
  const month = around.slice(0, 7);
  const isCurrent = today >= days.first && today <= days.last && (view === 'week' || today.startsWith(month));
  const go = (day: string) => {
    setAround(day);
    setSelected(null);
  };
  const title =
    view === 'month'
      ? formatMonth(month)
      : `${formatCalendarDay(days.first)} – ${formatCalendarDay(days.last)}`;
  const agenda: Days = selected
    ? { first: selected, last: selected }
    : {
        first: isCurrent ? today : view === 'month' ? `${month}-01` : days.first,
        last: lastOf(view, days, month),
      };

  return (
    <div className="cal">
      <Segmented
        label={t`Show`}
        value={view}
        onChange={(next) => {
          setView(next);
          setSelected(null);
          if (next === 'week' && today.startsWith(month)) setAround(today);
        }}
        options={[
          { value: 'month', label: t`Month` },
          { value: 'week', label: t`Week` },
        ]}
      />
      <PeriodHead
        title={title}
        view={view}
        isCurrent={isCurrent}
        onToday={() => go(today)}
        onStep={(by) => go(stepView(view, around, by))}
      />
      <DayGrid
        days={days}
        month={view === 'month' ? month : null}
        today={today}
        selected={selected}
        events={query.data ?? []}
        onSelect={setSelected}
      />
      <Legend />
      <div className="cal-side">
        <QueryState
          query={query}
          loading={<RowsSkeleton count={3} />}
          errorTitle={t`We couldn't load your calendar`}
        >
          {(events) => (
            <Agenda
              events={events}
              days={agenda}
              clashes={clashesOf(events)}
              empty={
                selected ? (
                  <Trans>Nothing on {formatCalendarDay(selected)}.</Trans>
                ) : isCurrent ? (
                  <Trans>Nothing else in this period.</Trans>
                ) : (
                  <Trans>Nothing scheduled in this period.</Trans>
                )
              }
            />
          )}
        </QueryState>
        <div className="row wrap g3 cal-free">
          <p className="sm mute grow">
            <Trans>Set when you're usually free in your profile. Businesses can see it.</Trans>
          </p>
          <ButtonLink kind="out" size="s" to="/myprofile">
            {t`Change availability`}
          </ButtonLink>
        </div>
        <Subscribe />
      </div>
    </div>
  );
}

function PeriodHead({
  title,
  view,
  isCurrent,
  onToday,
  onStep,
}: {
  title: string;
  view: CalendarView;
  isCurrent: boolean;
  onToday: () => void;
  onStep: (by: 1 | -1) => void;
}) {
  const { t } = useLingui();
  return (
    <div className="row cal-head">
      <h2 className="h-m grow" aria-live="polite">
        {title}
      </h2>
      {isCurrent ? null : (
        <Button kind="text" size="s" onClick={onToday}>
          {t`Today`}
        </Button>
      )}
      <IconButton
        icon="caret-left"
        flip
        label={view === 'month' ? t`Previous month` : t`Previous week`}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon="caret-right"
        flip
        label={view === 'month' ? t`Next month` : t`Next week`}
        onClick={() => onStep(1)}
      />
    </div>
  );
}

/** A month's agenda ends with the month, though the grid shows whole weeks. */
function lastOf(view: CalendarView, days: Days, month: string): string {
  if (view === 'week') return days.last;
  let last = days.last;
  while (!last.startsWith(month)) last = addDays(last, -1);
  return last;
}

function Legend() {
  const { t } = useLingui();
  return (
    <p className="row wrap g3 xs mute cal-legend" aria-hidden="true">
      <span className="cal-dots">
        <i className="engagement" /> {t`Booked`}
      </span>
      <span className="cal-dots">
        <i className="interview" /> {t`Interview`}
      </span>
      <span className="cal-dots">
        <i className="offer" /> {t`Offer`}
      </span>
    </p>
  );
}

type AgendaProps = {
  events: readonly CalendarEvent[];
  days: Days;
  clashes: ReadonlyMap<string, CalendarEvent[]>;
  empty: ReactNode;
};

function Agenda({ events, days, clashes, empty }: AgendaProps) {
  const groups = eventsByDay(events, days);
  if (groups.length === 0) return <p className="mute cal-none">{empty}</p>;
  return (
    <div className="cal-agenda">
      {groups.map(({ day, events: ofDay }) => (
        <section key={day}>
          <h3 className="h-s">{formatCalendarDay(day, { style: 'long' })}</h3>
          <ul className="mt2">
            {ofDay.map((event) => (
              <li key={keyOf(event)}>
                <Entry event={event} clashes={clashes.get(keyOf(event)) ?? []} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Entry({ event, clashes }: { event: CalendarEvent; clashes: readonly CalendarEvent[] }) {
  const { t } = useLingui();
  const { icon, label, tone } = kindText(event);
  const clashTitles = joined(...new Set(clashes.map(({ title }) => title)));
  return (
    <Link to={event.path} className={`cal-entry ${event.kind}`}>
      <Icon name={icon} />
      <span className="grow">
        <span className="sm num strong block">{hoursText(event)}</span>
        <span className="mid block">{event.title}</span>
        <span className="sm mute block">{joined(event.businessName, event.where)}</span>
        <span className="row wrap g2 mt1">
          <Badge tone={tone}>{label}</Badge>
          {clashTitles ? (
            <Badge tone="bad" icon="warning">
              {t`Overlaps with ${clashTitles}`}
            </Badge>
          ) : null}
        </span>
      </span>
      <Icon name="caret-right" flip className="mute" />
    </Link>
  );
}

type DayGridProps = {
  days: Days;
  month: string | null;
  today: string;
  selected: string | null;
  events: readonly CalendarEvent[];
  onSelect: (day: string | null) => void;
};

const shownTitles = 2;

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Days with a dot per kind of event, or with titles on a desktop. Arrow keys move, Enter shows a single day. */
function DayGrid({ days, month, today, selected, events, onSelect }: DayGridProps) {
  const { t } = useLingui();
  const grid = useRef<HTMLDivElement>(null);
  const all = eachDay(days);
  const reachable = selected ?? (today >= days.first && today <= days.last ? today : days.first);
  const walk = (event: KeyboardEvent, day: string) => {
    const step = steps[readingKey(event, event.currentTarget)];
    if (step === undefined) return;
    event.preventDefault();
    grid.current?.querySelector<HTMLButtonElement>(`[data-day="${addDays(day, step)}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: screen readers would announce a fieldset as a form.
    <div className="cal-grid" role="group" aria-label={t`Days`} ref={grid}>
      {all.slice(0, 7).map((day) => (
        <span key={day} className="xs mute cal-weekday" aria-hidden="true">
          {weekdayLetters(day)}
        </span>
      ))}
      {all.map((day) => {
        const here = events.filter((event) => isWithinDays(event, { first: day, last: day }));
        const kinds = [...new Set(here.map(({ kind }) => kind))];
        const count = here.length;
        const words = formatCalendarDay(day, { style: 'long' });
        const classes = ['cal-day', month !== null && !day.startsWith(month) ? 'other' : ''];
        return (
          <button
            key={day}
            type="button"
            data-day={day}
            className={classes.filter(Boolean).join(' ')}
            tabIndex={day === reachable ? 0 : -1}
            aria-pressed={day === selected}
            aria-current={day === today ? 'date' : undefined}
            aria-label={joined(
              words,
              count > 0 && t`${plural(count, { one: '# entry', other: '# entries' })}`,
            )}
            onKeyDown={(event) => walk(event, day)}
            onClick={() => onSelect(day === selected ? null : day)}
          >
            <span className="num">{Number(day.slice(8))}</span>
            <span className="cal-dots">
              {kinds.map((kind) => (
                <i key={kind} className={kind} />
              ))}
            </span>
            <span className="cal-titles" aria-hidden="true">
              {here.slice(0, shownTitles).map((event) => (
                <span key={keyOf(event)} className={`cal-title ${event.kind}`}>
                  {event.title}
                </span>
              ))}
              {count > shownTitles ? <span className="xs mute">{t`${count - shownTitles} more`}</span> : null}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The icon, word and tone of an entry's kind; colour is never the only sign. */
function kindText(event: Pick<CalendarEvent, 'kind' | 'status'>): {
  icon: IconName;
  label: string;
  tone?: Tone;
} {
  if (event.kind === 'engagement') return { icon: 'briefcase', label: t`Booked`, tone: 'good' };
  if (event.kind === 'offer')
    return { icon: 'envelope-simple', label: t`Offer awaiting your reply`, tone: 'wait' };
  if (event.status === 'proposed') return { icon: 'calendar-blank', label: t`Proposed time`, tone: 'wait' };
  return event.status === 'reschedule_requested'
    ? { icon: 'calendar-blank', label: t`Interview being rescheduled`, tone: 'wait' }
    : { icon: 'calendar-check', label: t`Interview`, tone: 'here' };
}

function hoursText(event: Pick<CalendarEvent, 'startsAt' | 'endsAt' | 'timeZone'>): string {
  const hours = (zone: string) => `${formatTime(event.startsAt, zone)}–${formatTime(event.endsAt, zone)}`;
  const there = hours(event.timeZone);
  const here = hours(ownTimeZone());
  if (isWholeDay(event)) return t`Due by the end of the day`;
  return here === there ? there : t`${there} (${here} your time)`;
}
