import { addDays, dayMs, minuteMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { clockIn, instantAt } from '../../lib/words/zoned-time.ts';

export type SlotProblem =
  | 'no-time'
  | 'past'
  | 'too-far'
  | 'repeated'
  | 'standing'
  | 'after-start'
  | 'after-decide-by'
  | 'too-many';
/** `decideBy`: when the application closes if the business has not decided. */
export type SlotBounds = {
  standing?: readonly string[];
  workStartsAt?: string | null;
  decideBy?: string | null;
  /** At most this many times in a proposal. */
  max?: number;
  /** Times that are passed over when times are added one after another. */
  isTaken?: (instant: string) => boolean;
};

const minuteOf = (instant: string): number => Math.floor(Date.parse(instant) / minuteMs);

/** The reason why a time can't be added; null if it can. `standing` are the times it would replace. */
export function slotProblem(
  instant: string | null,
  slots: readonly string[],
  now: Date,
  {
    standing = [],
    workStartsAt = null,
    decideBy = null,
    max = hiringLimits.interviewSlotsMax,
  }: SlotBounds = {},
): SlotProblem | null {
  if (instant === null) return 'no-time';
  const at = Date.parse(instant);
  if (at <= now.getTime()) return 'past';
  if (at > now.getTime() + hiringLimits.interviewAheadDays * dayMs) return 'too-far';
  if (slots.some((slot) => minuteOf(slot) === minuteOf(instant))) return 'repeated';
  if (standing.some((time) => minuteOf(time) === minuteOf(instant))) return 'standing';
  if (workStartsAt && at >= Date.parse(workStartsAt)) return 'after-start';
  if (decideBy && at >= Date.parse(decideBy)) return 'after-decide-by';
  return slots.length >= max ? 'too-many' : null;
}

/** Separate times for each of several people: every person gets one, and the rest are dealt out in the same order. */
export const slotsOfPerson = (slots: readonly string[], person: number, people: number): string[] =>
  slots.filter((_, at) => at % people === person).slice(0, hiringLimits.interviewSlotsMax);

const quickTimes = ['10:00', '15:00'] as const;
const dayEnds = '18:00';

/**
 * Adds times until there are `count` or the next is not possible. Each starts when the interview before it ends;
 * after the last of a day they continue on the next working day.
 */
export function filledSlots(
  slots: readonly string[],
  count: number,
  { minutes, timeZone }: { minutes: number; timeZone: string },
  now: Date,
  bounds: SlotBounds,
): string[] {
  let filled = [...slots];
  let last = filled.at(-1);
  while (filled.length < count && last !== undefined) {
    const following = new Date(Date.parse(last) + minutes * minuteMs).toISOString();
    const { day, time } = clockIn(following, timeZone);
    const next = time < dayEnds ? following : instantAt(workdayAfter(day), quickTimes[0], timeZone);
    if (next === null || slotProblem(next, filled, now, bounds) !== null) break;
    if (!bounds.isTaken?.(next)) filled = withSlot(filled, next);
    last = next;
  }
  return filled;
}

export const withSlot = (slots: readonly string[], instant: string): string[] =>
  [...slots, instant].sort((a, b) => Date.parse(a) - Date.parse(b));

export const futureSlots = (slots: readonly string[], now: Date): string[] =>
  slots.filter((slot) => Date.parse(slot) > now.getTime());

/** Suggested times on the next three weekdays, before the work `begins`; weekends only if there is no weekday. */
export function quickSlots(now: Date, timeZone: string, count = 6, begins: string | null = null): string[] {
  const weekdays = usualTimes(now, timeZone, begins, false).slice(0, count);
  return weekdays.length > 0 ? weekdays : usualTimes(now, timeZone, begins, true).slice(0, count);
}

const daysAhead = 14;

function usualTimes(now: Date, timeZone: string, begins: string | null, weekends: boolean): string[] {
  const today = clockIn(now.toISOString(), timeZone).day;
  return Array.from({ length: daysAhead }, (_, index) => addDays(today, index + 1))
    .filter((day) => weekends || !isWeekend(day))
    .flatMap((day) => quickTimes.map((time) => instantAt(day, time, timeZone)))
    .filter((instant) => instant !== null)
    .filter((instant) => begins === null || Date.parse(instant) < Date.parse(begins));
}

function workdayAfter(day: string): string {
  const next = addDays(day, 1);
  return isWeekend(next) ? workdayAfter(next) : next;
}

const isWeekend = (day: string): boolean => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 === 0;
