import { addDays, dayIn, hourMs, weekdayOf } from '@nearhand/contract/durations';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import { weekdays } from '@nearhand/contract/people/profile-choices';
import { locale, weekdayText } from '../../lib/words/format.ts';

export type CalendarView = 'week' | 'month';
export type Days = { first: string; last: string };

const laterOf = (a: string, b: string): string => [a, b].sort()[1] ?? a;
/** The reader's first day of the week: 0 Sunday, 1 Monday. */
export function weekStart(): number {
  const ownLocale = new Intl.Locale(locale()) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return (ownLocale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** The most letters of a weekday that fit a seventh of a phone's width; Arabic has no such short names. */
const lettersMax = 4;

export function weekdayLetters(day: string, style: 'short' | 'long' = 'short'): string {
  const weekday = weekdays[(weekdayOf(day) + 6) % 7] ?? 'mon';
  const text = weekdayText(weekday, style);
  return style === 'short' && text.length > lettersMax ? weekdayText(weekday, 'narrow') : text;
}

/** The days of a view around one day: whole weeks. `weekStart`: 0 Sunday, 1 Monday. */
export function daysOf(view: CalendarView, around: string, weekStart: number): Days {
  const startOf = (day: string) => addDays(day, -((weekdayOf(day) - weekStart + 7) % 7));
  if (view === 'week') {
    const first = startOf(around);
    return { first, last: addDays(first, 6) };
  }
  const month = around.slice(0, 7);
  return { first: startOf(`${month}-01`), last: addDays(startOf(lastOfMonth(month)), 6) };
}

const lastOfMonth = (month: string): string => addDays(stepMonth(`${month}-01`, 1), -1);

function stepMonth(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

export const stepView = (view: CalendarView, day: string, by: 1 | -1): string =>
  view === 'week' ? addDays(day, 7 * by) : stepMonth(day, by);

export function eachDay({ first, last }: Days): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** A range that covers those days in any zone; results are filtered by their own zone. */
export const rangeOf = ({ first, last }: Days): { from: string; to: string } => ({
  from: `${addDays(first, -1)}T00:00:00.000Z`,
  to: `${addDays(last, 2)}T00:00:00.000Z`,
});

/** The days an event covers in its zone. One that ends at midnight does not touch the next day. */
export function daysOfEvent(event: Pick<CalendarEvent, 'startsAt' | 'endsAt' | 'timeZone'>): Days {
  const first = dayIn(event.timeZone, event.startsAt);
  const last = dayIn(event.timeZone, new Date(Date.parse(event.endsAt) - 1));
  return { first, last: laterOf(first, last) };
}

/** Returns whether a part of the event is within these days. */
export const isWithinDays = (event: CalendarEvent, { first, last }: Days): boolean => {
  const days = daysOfEvent(event);
  return days.first <= last && days.last >= first;
};

export type DayGroup = { day: string; events: CalendarEvent[] };

export function eventsByDay(events: readonly CalendarEvent[], days: Days): DayGroup[] {
  const inRange = events.filter((event) => isWithinDays(event, days));
  return [...Map.groupBy(inRange, (event) => laterOf(daysOfEvent(event).first, days.first))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, list]) => ({
      day,
      events: list.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt)),
    }));
}

/** The key of a calendar entry: several proposed times share their interview's id. */
export const keyOf = (event: CalendarEvent): string => `${event.kind} ${event.id} ${event.startsAt}`;

/** Returns whether an event is so long that a day shows it without hours. */
export const isWholeDay = (event: Pick<CalendarEvent, 'startsAt' | 'endsAt'>): boolean =>
  Date.parse(event.endsAt) - Date.parse(event.startsAt) >= 22 * hourMs;

/** Maps each entry to those it overlaps. Proposed times of one interview and due dates don't count. */
export function clashesOf(events: readonly CalendarEvent[]): Map<string, CalendarEvent[]> {
  const clashes = new Map<string, CalendarEvent[]>();
  const timed = events.filter((event) => !isWholeDay(event));
  for (const event of timed)
    for (const candidate of timed) {
      if (event.id === candidate.id) continue;
      if (Date.parse(event.startsAt) >= Date.parse(candidate.endsAt)) continue;
      if (Date.parse(candidate.startsAt) >= Date.parse(event.endsAt)) continue;
      clashes.set(keyOf(event), [...(clashes.get(keyOf(event)) ?? []), candidate]);
    }
  return clashes;
}

export const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
