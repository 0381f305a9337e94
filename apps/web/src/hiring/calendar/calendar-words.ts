import { t } from '@lingui/core/macro';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import { formatTime, locale, ownTimeZone } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import type { Tone } from '../../ui/badge.tsx';
import { isWholeDay } from './calendar.rules.ts';

/** A calendar entry's kind: an icon, a word and its tone; colour is never the only sign. */
export function kindWords(event: Pick<CalendarEvent, 'kind' | 'status'>): {
  icon: IconName;
  label: string;
  tone?: Tone;
} {
  if (event.kind === 'engagement') return { icon: 'briefcase', label: t`Booked`, tone: 'good' };
  if (event.kind === 'offer')
    return { icon: 'envelope-simple', label: t`Offer awaiting your reply`, tone: 'wait' };
  return event.status === 'proposed'
    ? { icon: 'calendar-blank', label: t`Proposed time`, tone: 'wait' }
    : event.status === 'reschedule_requested'
      ? { icon: 'calendar-blank', label: t`Interview being rescheduled`, tone: 'wait' }
      : { icon: 'calendar-check', label: t`Interview`, tone: 'here' };
}

/** "08:00–14:00" in the place's zone, followed by the reader's own if it differs. */
export function hoursText(event: Pick<CalendarEvent, 'startsAt' | 'endsAt' | 'timeZone'>): string {
  const hours = (zone: string) => `${formatTime(event.startsAt, zone)}–${formatTime(event.endsAt, zone)}`;
  const there = hours(event.timeZone);
  const here = hours(ownTimeZone());
  if (isWholeDay(event)) return t`Due by the end of the day`;
  return here === there ? there : t`${there} (${here} your time)`;
}

/** The first day of the week for the reader: 0 Sunday, 1 Monday. */
export function weekStart(): number {
  const own = new Intl.Locale(locale()) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return (own.getWeekInfo?.().firstDay ?? 1) % 7;
}

export const monthText = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  );

export const weekdayLetters = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  );
