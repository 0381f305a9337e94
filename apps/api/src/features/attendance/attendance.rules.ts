import type { Evidence } from '@nearhand/contract/attendance';
import { minuteMs } from '@nearhand/contract/durations';
import { metresBetween } from '@nearhand/contract/great-circle';
import type { Point } from '@nearhand/contract/places';

/** A message older than this was queued on the device; a clock further off than this is remarked. */
const liveMs = 2 * minuteMs;
/** How long a device may hold on to what it could not send. */
const oldestMs = 7 * 24 * 60 * minuteMs;
/** Times that the network's delay put in the wrong order by less than this are put right. */
const jitterMs = 2 * minuteMs;
/**
 * How much of a device's inaccuracy counts: enough for a phone indoors. Beyond it a fix says less and less about where somebody is, so a bigger circle
 * must not let in who is further away (ADR 0042).
 */
export const accuracyCapM = 250;

export type Reckoned = { at: Date; deviceAt: Date; flags: ('queued' | 'clock_off')[] };

/**
 * When something happened by the server's clock: the server's time less the age that the device's own clock gives it, so that a wrong clock harms
 * nobody. Null where it cannot be: after it was sent, or older than a week.
 */
export function reckon(evidence: Pick<Evidence, 'at' | 'sentAt'>, now: Date): Reckoned | null {
  const [deviceAt, sentAt] = [Date.parse(evidence.at), Date.parse(evidence.sentAt)];
  const age = sentAt - deviceAt;
  if (!Number.isFinite(age) || age < 0 || age > oldestMs) return null;
  return {
    at: new Date(now.getTime() - age),
    deviceAt: new Date(deviceAt),
    flags: [
      ...(age > liveMs ? (['queued'] as const) : []),
      ...(Math.abs(sentAt - now.getTime()) > liveMs ? (['clock_off'] as const) : []),
    ],
  };
}

/** A time that is not before `earliest`: one that is so by a delay of the network only is moved to it. Null where it is more. */
export function notBefore(at: Date, earliest: Date): Date | null {
  if (at >= earliest) return at;
  return earliest.getTime() - at.getTime() <= jitterMs ? earliest : null;
}

export type Located = { distanceM: number; accuracyM: number; near: boolean };

/** How far from the place a device is, in whole metres, and whether that is near enough. */
export function locate(
  position: NonNullable<Evidence['position']>,
  place: Point,
  { CHECK_IN_RADIUS_M }: { CHECK_IN_RADIUS_M: number },
): Located {
  const metres = metresBetween(position, place);
  return {
    distanceM: Math.round(metres),
    accuracyM: Math.round(position.accuracyM),
    near: metres <= CHECK_IN_RADIUS_M + Math.min(position.accuracyM, accuracyCapM),
  };
}

/** The minutes for which a code is good at a time: the code is read off a screen, and typed. */
export const minutesAround = (at: Date): number[] => {
  const minute = Math.floor(at.getTime() / minuteMs);
  return [0, -1, 1, -2, 2].map((step) => minute + step);
};
export const minuteOf = (at: Date): number => Math.floor(at.getTime() / minuteMs);
export const minuteEnd = (minute: number): Date => new Date((minute + 1) * minuteMs);
