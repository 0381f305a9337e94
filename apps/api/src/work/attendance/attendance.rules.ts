import { minuteMs, subtractMs } from '@nearhand/contract/durations';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import type { Evidence } from '@nearhand/contract/work/attendance';
import { checkInReachM } from '@nearhand/contract/work/attendance.rules';

/** An older event was queued on the device. A clock that is further off is flagged. */
const liveMs = 2 * minuteMs;
const oldestMs = 7 * 24 * 60 * minuteMs;
/** Out-of-order times within this are attributed to network delay and corrected. */
const jitterMs = 2 * minuteMs;

export type EventTime = { at: Date; deviceAt: Date; flags: ('queued' | 'clock_off')[] };

/** Corrects a wrong device clock. Null if the time is after sending or older than a week. */
export function eventTime(evidence: Pick<Evidence, 'at' | 'sentAt'>, now: Date): EventTime | null {
  const deviceAt = Date.parse(evidence.at);
  const sentAt = Date.parse(evidence.sentAt);
  const age = sentAt - deviceAt;
  if (!Number.isFinite(age) || age < 0 || age > oldestMs) return null;
  return {
    at: subtractMs(now, age),
    deviceAt: new Date(deviceAt),
    flags: [
      ...(age > liveMs ? (['queued'] as const) : []),
      ...(Math.abs(sentAt - now.getTime()) > liveMs ? (['clock_off'] as const) : []),
    ],
  };
}

/** Moves a time up to `earliest` within network jitter; otherwise null. */
export function clampToEarliest(at: Date, earliest: Date): Date | null {
  if (at >= earliest) return at;
  return earliest.getTime() - at.getTime() <= jitterMs ? earliest : null;
}

export type Located = { distanceM: number; accuracyM: number; near: boolean };

/** The distance and accuracy of a position, in whole metres. */
export function distanceToPlace(
  position: NonNullable<Evidence['position']>,
  place: Point,
  { CHECK_IN_RADIUS_M }: { CHECK_IN_RADIUS_M: number },
): Located {
  const metres = metresBetween(position, place);
  return {
    distanceM: Math.round(metres),
    accuracyM: Math.round(position.accuracyM),
    near: metres <= checkInReachM(CHECK_IN_RADIUS_M, position.accuracyM),
  };
}

/** Several minutes' codes are accepted, since typing a code takes a while. */
export const minutesAround = (at: Date): number[] => {
  const minute = Math.floor(at.getTime() / minuteMs);
  return [0, -1, 1, -2, 2].map((step) => minute + step);
};
/** Minutes since 1970: check-in codes change with each. */
export const minuteOf = (at: Date): number => Math.floor(at.getTime() / minuteMs);
export const minuteEnd = (minute: number): Date => new Date((minute + 1) * minuteMs);
