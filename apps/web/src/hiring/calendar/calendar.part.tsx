import { Trans, useLingui } from '@lingui/react/macro';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { dayIn, formatAgo, formatCalendarDay, joined, ownTimeZone } from '../../lib/words/format.ts';
import { dayAfter } from '../../lib/words/zoned-time.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useCalendar } from './calendar.api.ts';
import './calendar.css';
import {
  byDay,
  type CalendarView,
  clashesOf,
  type Days,
  daysOf,
  keyOf,
  rangeOf,
  stepView,
} from './calendar.rules.ts';
import { hoursText, kindWords, monthText, weekStart } from './calendar-words.ts';
import { DayGrid } from './day-grid.tsx';
import { Subscribe } from './subscribe.tsx';

/** The worker's bookings, interviews and offers by day: a grid of the month or week, and the agenda below. */
export function CalendarPart() {
  const { t } = useLingui();
  const now = useNow(60_000);
  const today = dayIn(now, ownTimeZone());
  const [view, setView] = useState<CalendarView>('month');
  const [around, setAround] = useState(today);
  const [selected, setSelected] = useState<string | null>(null);
  const days = daysOf(view, around, weekStart());
  const query = useCalendar(rangeOf(days));
  const month = around.slice(0, 7);
  const current = today >= days.first && today <= days.last && (view === 'week' || today.startsWith(month));
  const go = (day: string) => {
    setAround(day);
    setSelected(null);
  };
  const title =
    view === 'month'
      ? monthText(`${month}-01`)
      : `${formatCalendarDay(days.first)} – ${formatCalendarDay(days.last)}`;
  const agenda: Days = selected
    ? { first: selected, last: selected }
    : {
        first: current ? today : view === 'month' ? `${month}-01` : days.first,
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
      <div className="row cal-head">
        <h2 className="h-m grow" aria-live="polite">
          {title}
        </h2>
        {current ? null : (
          <Button kind="text" size="s" onClick={() => go(today)}>
            {t`Today`}
          </Button>
        )}
        <IconButton
          icon="caret-left"
          flip
          label={view === 'month' ? t`Previous month` : t`Previous week`}
          onClick={() => go(stepView(view, around, -1))}
        />
        <IconButton
          icon="caret-right"
          flip
          label={view === 'month' ? t`Next month` : t`Next week`}
          onClick={() => go(stepView(view, around, 1))}
        />
      </div>
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
          describe={errorText}
          asOf={formatAgo}
        >
          {(events) => (
            <Agenda
              events={events}
              days={agenda}
              clashes={clashesOf(events)}
              empty={
                selected ? (
                  <Trans>Nothing on {formatCalendarDay(selected)}.</Trans>
                ) : current ? (
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

/** A month's agenda ends with the month, though the grid shows whole weeks. */
function lastOf(view: CalendarView, days: Days, month: string): string {
  if (view === 'week') return days.last;
  let last = days.last;
  while (!last.startsWith(month)) last = dayAfter(last, -1);
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
  const groups = byDay(events, days);
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
  const { icon, label, tone } = kindWords(event);
  const others = joined(...new Set(clashes.map(({ title }) => title)));
  return (
    <Link to={event.path} className={`cal-entry ${event.kind}`}>
      <Icon name={icon} />
      <span className="grow">
        <span className="sm num strong block">{hoursText(event)}</span>
        <span className="mid block">{event.title}</span>
        <span className="sm mute block">{joined(event.businessName, event.where)}</span>
        <span className="row wrap g2 mt1">
          <Badge tone={tone}>{label}</Badge>
          {others ? (
            <Badge tone="bad" icon="warning">
              {t`Overlaps with ${others}`}
            </Badge>
          ) : null}
        </span>
      </span>
      <Icon name="caret-right" flip className="mute" />
    </Link>
  );
}
