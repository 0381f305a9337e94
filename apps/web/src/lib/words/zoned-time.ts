import { t } from '@lingui/core/macro';
import { addDays, dayMs, daysPerWeek, minuteMs } from '@nearhand/contract/durations';
import { wallClock } from '@nearhand/contract/zoned-time';

/** Marks the second of two equal times in the night when the clocks go back: "01:30+". */
const secondTimeMark = '+';
export const plainTime = (time: string): string => time.replace(secondTimeMark, '');

/**
 * The instants at which a zone's clocks show a time of a day: one, none if they skip it, or two if they
 * repeat it.
 */
function instantsAt(day: string, time: string, timeZone: string): string[] | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !/^\d{2}:\d{2}$/.test(time)) return null;
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) return null;
  const offsets = [wall - dayMs, wall + dayMs].map((instant) => wallClock(timeZone, instant) - instant);
  const instants = [...new Set(offsets.map((offset) => wall - offset))].filter(
    (ms) => wallClock(timeZone, ms) === wall,
  );
  return instants.sort((a, b) => a - b).map((ms) => new Date(ms).toISOString());
}

/** The instant of a local time ("01:30", or "01:30+" the second time) in a zone; null if it is invalid or skipped. */
export function instantAt(day: string, time: string, timeZone: string): string | null {
  const instants = instantsAt(day, plainTime(time), timeZone) ?? [];
  return (time.endsWith(secondTimeMark) ? instants.at(-1) : instants[0]) ?? null;
}

/** Local day and time in a zone; `instantAt` reverses it, to the minute. */
export function clockIn(instant: string, timeZone: string): { day: string; time: string } {
  const ms = Math.floor(Date.parse(instant) / minuteMs) * minuteMs;
  const wall = new Date(wallClock(timeZone, ms)).toISOString();
  const day = wall.slice(0, 10);
  const time = wall.slice(11, 16);
  const isSecond = instantsAt(day, time, timeZone)?.[1] === new Date(ms).toISOString();
  return { day, time: isSecond ? `${time}${secondTimeMark}` : time };
}

export type TypedSpan = { day: string; from: string; to: string };

/** Instants of a typed span. An end at or before the start falls on the next day; null if invalid or equal. */
export function spanAt(
  { day, from, to }: TypedSpan,
  timeZone: string,
): { startsAt: string; endsAt: string; overnight: boolean } | null {
  const startsAt = instantAt(day, from, timeZone);
  if (startsAt === null || from === to || skippedTime({ day, from, to }, timeZone)) return null;
  const sameDay = (instantsAt(day, plainTime(to), timeZone) ?? []).filter((instant) => instant > startsAt);
  const endsAt = to.endsWith(secondTimeMark) ? sameDay.at(-1) : sameDay[0];
  if (endsAt) return { startsAt, endsAt, overnight: false };
  const nextDay = instantAt(addDays(day, 1), to, timeZone);
  return nextDay === null ? null : { startsAt, endsAt: nextDay, overnight: true };
}

export function skippedTime({ day, from, to }: TypedSpan, timeZone: string): 'from' | 'to' | null {
  const isSkipped = (on: string, time: string) => instantsAt(on, plainTime(time), timeZone)?.length === 0;
  if (isSkipped(day, from)) return 'from';
  const on = plainTime(to) <= plainTime(from) && day !== '' ? addDays(day, 1) : day;
  return isSkipped(on, to) ? 'to' : null;
}

/** The times that the clocks show twice, and whether the second is meant. */
export function repeatedTimes(
  typed: TypedSpan,
  timeZone: string,
): { field: 'from' | 'to'; time: string; isSecond: boolean }[] {
  const repeated: ReturnType<typeof repeatedTimes> = [];
  const note = (field: 'from' | 'to', day: string, instant: string | null, after: string) => {
    const [earlier, later] = instantsAt(day, plainTime(typed[field]), timeZone) ?? [];
    if (earlier && later && instant && earlier > after)
      repeated.push({ field, time: plainTime(typed[field]), isSecond: instant === later });
  };
  const startsAt = instantAt(typed.day, typed.from, timeZone);
  note('from', typed.day, startsAt, '');
  const span = spanAt(typed, timeZone);
  if (span) note('to', span.overnight ? addDays(typed.day, 1) : typed.day, span.endsAt, span.startsAt);
  return repeated;
}

export const withRepeat = (time: string, isSecond: boolean): string =>
  isSecond ? `${plainTime(time)}${secondTimeMark}` : plainTime(time);

/** The weekday of an instant in the first week that is still ahead, or in the week after an instant in the future. */
export function sameWeekdayAhead(instant: string, timeZone: string, now: Date): string {
  const behind = Math.max(0, now.getTime() - Date.parse(instant));
  const weeks = Math.floor(behind / (daysPerWeek * dayMs)) + 1;
  return addDays(clockIn(instant, timeZone).day, weeks * daysPerWeek);
}

export function skippedText(typed: string): string {
  const time = plainTime(typed);
  return t`The clocks skip ${time} on this day. Choose another time.`;
}

/** Choices of a time zone: those that the browser knows and those given. */
export function zoneOptions(...also: string[]): { value: string; label: string }[] {
  const zones = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];
  return [...new Set([...zones, ...also])]
    .sort()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}

export const zoneTown = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
