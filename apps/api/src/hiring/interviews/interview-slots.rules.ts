import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';

export type SlotProblem = 'slot-in-past' | 'slot-too-far' | 'slots-repeated';

/**
 * The proposed times, sorted; each a whole minute. A slot is an instant, so clock changes don't affect it.
 * @param standing the time to be moved; proposing it again is refused
 */
export function readSlots(
  given: readonly string[],
  now: Date,
  standing: Date | null,
): { times: Date[]; problem: SlotProblem | null } {
  const minutes = given.map((text) => Math.floor(new Date(text).getTime() / minuteMs) * minuteMs);
  const times = minutes.sort((a, b) => a - b).map((at) => new Date(at));
  const distinct = new Set(minutes);
  if (standing) distinct.delete(standing.getTime());
  if (distinct.size < given.length) return { times, problem: 'slots-repeated' };
  if (times.some((at) => at <= now)) return { times, problem: 'slot-in-past' };
  const farthest = now.getTime() + limits.interviewAheadDays * dayMs;
  return { times, problem: times.some((at) => at.getTime() > farthest) ? 'slot-too-far' : null };
}
