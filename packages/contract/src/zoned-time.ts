import { addDays, dayIn, dayMs, minuteMs, weekdayOf } from './durations.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Formats are expensive to create and the same for everyone in a zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}

let usualZones: ReadonlySet<string> | undefined;

/** Returns whether the name is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  // Creating a format to find out takes as long as a query.
  usualZones ??= new Set(Intl.supportedValuesOf('timeZone'));
  if (usualZones.has(name)) return true;
  try {
    // The list lacks UTC and second names such as Asia/Kolkata, whose format is needed later anyway.
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The day of the week in a time zone at an instant, 0 for Sunday. */
export const dayOfWeek = (timeZone: string, instant: Date): number => weekdayOf(dayIn(timeZone, instant));

/** Minutes since midnight in a time zone's local time at an instant. */
export function minuteIn(timeZone: string, instant: Date): number {
  const local = wallClock(timeZone, instant.getTime());
  return (local - Math.floor(local / dayMs) * dayMs) / minuteMs;
}

/** In ms, by zone and quarter of an hour. Asking a format takes longer than the rest of a decision about hours. */
const offsets = new Map<string, number>();
const offsetsMax = 5_000;
const quarterMs = 15 * minuteMs;

/**
 * Local time at an instant in epoch ms, as if it were UTC, in whole minutes. Clocks change on quarters of an
 * hour.
 */
export function wallClock(timeZone: string, at: number): number {
  const quarter = Math.floor(at / quarterMs) * quarterMs;
  const key = `${timeZone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const part: Record<string, number> = {};
    for (const { type, value } of clockOf(timeZone).formatToParts(quarter)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
    offset = Date.UTC(year, month - 1, day, hour, minute) - quarter;
    if (offsets.size >= offsetsMax) offsets.clear();
    offsets.set(key, offset);
  }
  return Math.floor((at + offset) / minuteMs) * minuteMs;
}

/** First instant of a local minute, in epoch ms. For a minute that DST skips, the moment of the jump. */
export function instantOf(timeZone: string, day: string, minute: number): number {
  const target = Date.parse(`${day}T00:00:00Z`) + minute * minuteMs;
  // The offset of the day before and of the day after: one of them applies, unless clocks skip the minute.
  const instants = [target - dayMs, target + dayMs]
    .map((near) => target - (wallClock(timeZone, near) - near))
    .sort((a, b) => a - b);
  const right = instants.find((at) => wallClock(timeZone, at) === target);
  if (right !== undefined) return right;
  let before = (instants[0] ?? target) - 3 * 60 * minuteMs;
  let after = (instants[1] ?? target) + 3 * 60 * minuteMs;
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (wallClock(timeZone, middle) >= target) after = middle;
    else before = middle;
  }
  return after;
}

/** The end of a calendar day in a time zone, in epoch ms. */
export const dayEndsAt = (timeZone: string, day: string): number => instantOf(timeZone, addDays(day, 1), 0);

/** The next time that a clock in this zone shows `minute` of the day, also across a change of clocks. */
export function nextAt(timeZone: string, minute: number, after: Date): Date {
  for (let ahead = -1; ahead <= 2; ahead += 1) {
    const at = instantOf(timeZone, addDays(dayIn(timeZone, after), ahead), minute);
    if (at > after.getTime()) return new Date(at);
  }
  return new Date(after.getTime() + dayMs);
}
