import { hourMs, minuteMs } from '../durations.ts';
import type { EngagementStatus } from '../engagement-statuses.ts';

/** The statuses of a booking that left its spot without a worker (ADR 385). */
export const statusesWithoutWorker: readonly EngagementStatus[] = [
  'cancelled_by_worker',
  'cancelled_by_merchant',
  'no_show_reported',
  'contested',
];

/** The time to reach a shift that has started. */
const travelMs = 30 * minuteMs;
const quarterMs = 15 * minuteMs;
/** If less of a shift is left, it is not worth coming. */
const shortestRestMs = hourMs;

/** The start of a replacement: that of the shift, or for one that has started the first quarter that can be reached. */
export const replacementStart = (startsAt: Date, now: Date): Date =>
  startsAt > now ? startsAt : new Date(Math.ceil((now.getTime() + travelMs) / quarterMs) * quarterMs);

/** True while someone else could still come to a shift. Work without hours never is. */
export function canBeReplaced(startsAt: Date | null, endsAt: Date | null, now: Date): boolean {
  if (!startsAt || !endsAt) return false;
  return startsAt > now || endsAt.getTime() - replacementStart(startsAt, now).getTime() >= shortestRestMs;
}

/** The longest time that a search may hide its spot from everyone: half of the time to the start. */
export const longestHidingMs = (startsAt: Date, now: Date): number =>
  (startsAt.getTime() - now.getTime()) / 2;

/**
 * True if a search may hide the spot at first. Other free spots are public already, and an instant hire takes the first
 * who qualifies.
 */
export const canHideSpot = (job: { status: string; spotsLeft: number; instantHire: boolean }): boolean =>
  !job.instantHire && job.status !== 'filled' && (job.status === 'paused' || job.spotsLeft === 1);
