import { plural, t } from '@lingui/core/macro';
import { addDays } from '@nearhand/contract/durations';
import type { Weekday } from '@nearhand/contract/people/profile-choices';
import { formatCalendarDay, weekdayText } from '../../lib/words/format.ts';
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
      return t`In the morning`;
    case 'fits':
      return t`Fits my hours`;
  }
}

export const everyWeekdayText = (weekday: Weekday): string => t`Every ${weekdayText(weekday)}`;

/** The days of a filter as a chip; null if none are chosen. `today` is a calendar day. */
export function daysText({ from, to }: Pick<NearbyFilters, 'from' | 'to'>, today: string): string | null {
  if (from && to) {
    if (from === to && from === addDays(today, 1)) return t`Tomorrow`;
    return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)}–${formatCalendarDay(to)}`;
  }
  if (from) return t`from ${formatCalendarDay(from)}`;
  return to ? t`until ${formatCalendarDay(to)}` : null;
}

export function showText(total: { count: number; more: boolean } | undefined): string {
  if (!total) return t`Show jobs`;
  if (total.more) return t`Show ${total.count}+ jobs`;
  if (total.count === 0) return t`No jobs match`;
  return plural(total.count, { one: 'Show # job', other: 'Show # jobs' });
}
