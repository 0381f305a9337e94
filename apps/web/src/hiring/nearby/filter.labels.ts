import { plural, t } from '@lingui/core/macro';
import { addDays, minuteMs } from '@nearhand/contract/durations';
import { type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import { formatCalendarDay, formatMinutes, formatTime, joined, weekdayText } from '../../lib/words/format.ts';
import type { NearbyFilters, Only } from './nearby-filters.ts';

export function onlyText(only: Only): string {
  switch (only) {
    case 'instant':
      return t`Instant hire`;
    case 'funded':
      return t`Funded`;
    case 'verified':
      return t`Verified business`;
    case 'evening':
      return t`Evening`;
    case 'morning':
      // "Morgen" and "mañana" alone are also tomorrow, which is another chip in the same row.
      return t({ message: 'Morning', context: 'filter' });
    case 'afternoon':
      return t`Afternoon`;
    case 'fits':
      return t`Fits my hours`;
  }
}

/** "Saturday", "Sat, Sun" or "Mon–Fri"; null for every day. In order of the week. */
export function weekdaysText(chosen: readonly Weekday[]): string | null {
  const [first, second, third] = chosen;
  const last = chosen.at(-1);
  if (!first || !last) return null;
  if (!second) return weekdayText(first);
  const isInRow = weekdays.indexOf(last) - weekdays.indexOf(first) === chosen.length - 1;
  if (third && isInRow) return `${weekdayText(first, 'short')}–${weekdayText(last, 'short')}`;
  return joined(...chosen.map((weekday) => weekdayText(weekday, 'short')));
}

const clockText = (minutes: number) => formatTime(new Date(minutes * minuteMs), 'UTC');

/** The hours of a filter as a chip; null if none are chosen. */
export function hoursText({
  startsFrom,
  endsBy,
}: Pick<NearbyFilters, 'startsFrom' | 'endsBy'>): string | null {
  const start = startsFrom === null ? null : clockText(startsFrom);
  const end = endsBy === null ? null : clockText(endsBy);
  if (start !== null && end !== null) return `${start}–${end}`;
  if (start !== null) return t`From ${start}`;
  return end === null ? null : t`Until ${end}`;
}

export const lengthText = (minutes: number): string => t`Up to ${formatMinutes(minutes)}`;

/** The days of a filter as a chip; null if none are chosen. `today` is a calendar day. */
export function daysText({ from, to }: Pick<NearbyFilters, 'from' | 'to'>, today: string): string | null {
  if (from && to) {
    if (from === to && from === addDays(today, 1)) return t`Tomorrow`;
    return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)}–${formatCalendarDay(to)}`;
  }
  const first = from && formatCalendarDay(from);
  if (first) return t`From ${first}`;
  const last = to && formatCalendarDay(to);
  return last ? t`Until ${last}` : null;
}

export function showText(total: { count: number; more: boolean } | undefined): string {
  if (!total) return t`Show jobs`;
  if (total.more) return t`Show ${total.count}+ jobs`;
  if (total.count === 0) return t`No jobs match`;
  return plural(total.count, { one: 'Show # job', other: 'Show # jobs' });
}
