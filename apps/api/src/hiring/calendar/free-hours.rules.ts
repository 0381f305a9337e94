import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { type DayPart, dayParts, type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability } from '@nearhand/contract/people/profiles';

const quarterMs = 15 * minuteMs;
/** Longer than any shift; only this much is checked. */
const farthestMs = 14 * dayMs;
/** The parts of a day as people choose them: night is 0 to 6, and so on. */
const partAt = (hour: number): DayPart =>
  hour < 6 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';

export type Stretch = { startsAt: Date; endsAt: Date };

/**
 * The parts of some hours in which a worker is usually busy, in a zone's local time. Checked by quarter hours, so that midnight, days of
 * 23 and 25 hours, and quarter-hour zones work. Empty for a worker without a schedule.
 */
export function notFree(grid: Availability, hours: Stretch, timeZone: string): Stretch[] {
  if (grid.length === 0 || grid.length === weekdays.length * dayParts.length) return [];
  const free = new Set(grid.map(({ day, part }) => `${day} ${part}`));
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const isFree = (at: number) => {
    const parts = format.formatToParts(at);
    const text = (type: Intl.DateTimeFormatPartTypes) =>
      parts.find((part) => part.type === type)?.value ?? '';
    return free.has(`${text('weekday').toLowerCase() as Weekday} ${partAt(Number(text('hour')))}`);
  };
  const end = Math.min(hours.endsAt.getTime(), hours.startsAt.getTime() + farthestMs);
  const stretches: Stretch[] = [];
  let open: number | null = null;
  for (let at = hours.startsAt.getTime(); at < end; at = (Math.floor(at / quarterMs) + 1) * quarterMs) {
    if (isFree(at)) {
      if (open !== null) stretches.push({ startsAt: new Date(open), endsAt: new Date(at) });
      open = null;
    } else open ??= at;
  }
  if (open !== null) stretches.push({ startsAt: new Date(open), endsAt: new Date(end) });
  return stretches;
}
