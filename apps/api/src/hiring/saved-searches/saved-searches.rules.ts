import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { SearchAlert } from '@nearhand/contract/hiring/saved-searches.rules';
import { dayOfWeek, nextAt } from '@nearhand/contract/zoned-time';

/** Jobs found within this many minutes are announced together. */
export const alertBatchMinutes = 5;

const hourMinutes = 60;
const weekDays = 7;
const monday = 1;

/**
 * When an opened job is announced: with its batch, or in the morning of the next day or Monday where the person lives. The same
 * for everyone with the same clock, so that one task serves them all.
 */
export function dueOf(
  alert: Exclude<SearchAlert, 'off'>,
  { openedAt, timeZone, digestHour }: { openedAt: Date; timeZone: string; digestHour: number },
): Date {
  const batchMs = alertBatchMinutes * minuteMs;
  if (alert === 'at_once') return new Date((Math.floor(openedAt.getTime() / batchMs) + 1) * batchMs);
  let due = nextAt(timeZone, digestHour * hourMinutes, openedAt);
  for (let days = 1; alert === 'weekly' && days < weekDays && dayOfWeek(timeZone, due) !== monday; days += 1)
    due = nextAt(timeZone, digestHour * hourMinutes, new Date(due.getTime() + dayMs / 2));
  return due;
}
