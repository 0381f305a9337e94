import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { clockIn, dayAfter, instantAt } from '../../lib/zoned-time.ts';

export type SlotProblem = 'no-time' | 'past' | 'too-far' | 'repeated' | 'standing' | 'too-many';
const minuteOf = (instant: string): number => Math.floor(Date.parse(instant) / minuteMs);

/** Why a time cannot join those on the list, or null where it can. `standing`: the time that is to be moved. */
export function slotProblem(
  instant: string | null,
  slots: readonly string[],
  now: Date,
  standing: string | null = null,
): SlotProblem | null {
  if (instant === null) return 'no-time';
  const at = Date.parse(instant);
  if (at <= now.getTime()) return 'past';
  if (at > now.getTime() + limits.interviewAheadDays * dayMs) return 'too-far';
  if (slots.some((slot) => minuteOf(slot) === minuteOf(instant))) return 'repeated';
  if (standing && minuteOf(standing) === minuteOf(instant)) return 'standing';
  return slots.length >= limits.interviewSlotsMax ? 'too-many' : null;
}

/** The list with one more time, in order. */
export const withSlot = (slots: readonly string[], instant: string): string[] =>
  [...slots, instant].sort((a, b) => Date.parse(a) - Date.parse(b));

/** What of a kept draft still lies ahead. */
export const aheadOf = (slots: readonly string[], now: Date): string[] =>
  slots.filter((slot) => Date.parse(slot) > now.getTime());

const quickTimes = ['10:00', '15:00'] as const;

/** Times people usually ask for: the next three weekdays in the zone of the job, morning and afternoon. */
export function quickSlots(now: Date, timeZone: string, count = 6): string[] {
  const today = clockIn(now.toISOString(), timeZone).day;
  const found: string[] = [];
  for (let ahead = 1; found.length < count; ahead += 1) {
    const day = dayAfter(today, ahead);
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    for (const time of quickTimes) {
      const instant = instantAt(day, time, timeZone);
      if (instant && found.length < count) found.push(instant);
    }
  }
  return found;
}
