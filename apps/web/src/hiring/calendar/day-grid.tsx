import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import { type KeyboardEvent, useRef } from 'react';
import { formatCalendarDay, joined } from '../../lib/words/format.ts';
import { dayAfter } from '../../lib/words/zoned-time.ts';
import { type Days, eachDay, keyOf, touches } from './calendar.rules.ts';
import { weekdayLetters } from './calendar-words.ts';

type DayGridProps = {
  days: Days;
  /** The selected month; days of others are dimmed. Null in a week. */
  month: string | null;
  today: string;
  selected: string | null;
  events: readonly CalendarEvent[];
  onSelect: (day: string | null) => void;
};

/** Titles in a cell of the desktop's grid. */
const shownTitles = 2;

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Days with a dot per kind of event, or with titles on a desktop. Arrow keys move, Enter shows a single day. */
export function DayGrid({ days, month, today, selected, events, onSelect }: DayGridProps) {
  const { t } = useLingui();
  const grid = useRef<HTMLDivElement>(null);
  const all = eachDay(days);
  const reachable = selected ?? (today >= days.first && today <= days.last ? today : days.first);
  const walk = (event: KeyboardEvent, day: string) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const turned = getComputedStyle(event.currentTarget).direction === 'rtl' && Math.abs(step) === 1;
    grid.current
      ?.querySelector<HTMLButtonElement>(`[data-day="${dayAfter(day, turned ? -step : step)}"]`)
      ?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    <div className="cal-grid" role="group" aria-label={t`Days`} ref={grid}>
      {all.slice(0, 7).map((day) => (
        <span key={day} className="xs mute cal-weekday" aria-hidden="true">
          {weekdayLetters(day)}
        </span>
      ))}
      {all.map((day) => {
        const here = events.filter((event) => touches(event, { first: day, last: day }));
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
